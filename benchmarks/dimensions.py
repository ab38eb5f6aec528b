"""How long `ccdim` takes: a table, in one run."""

from __future__ import annotations

import random
import time

import lossmith as lm
from lossmith.losses import hamming, zero_one


def main() -> None:
    """Print the bounds and the time for each loss."""
    random.seed(0)
    wide = lm.LossMatrix([[random.randint(0, 9) for _ in range(20)] for _ in range(8)], name="random 8×20")
    costs = [[0 if y == t else random.randint(1, 99) for t in range(300)] for y in range(300)]
    total = 0.0
    for loss in (zero_one(12), hamming(6), wide, lm.LossMatrix(costs, name="random 300×300 costs")):
        started = time.process_time()
        bounds = lm.ccdim(loss)
        taken = time.process_time() - started
        total += taken
        print(f"{loss.name:<24}{bounds.lower.value:>5} ≤ CCdim ≤ {bounds.upper.value:<5}{taken:>8.2f} s")
    print(f"target: all four within 10 s; taken {total:.2f} s")


if __name__ == "__main__":
    main()
