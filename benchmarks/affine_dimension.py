"""How long the exact `affdim` takes, as a ratio to numpy's inexact singular values, one BLAS thread each."""

from __future__ import annotations

from functools import partial

import numpy as np
from trigger_sets import best_of

from lossmith import LossMatrix, affdim

TARGET = 1.5


def main() -> None:
    generator = np.random.default_rng(0)
    low = generator.integers(0, 4, (29281, 11)) @ generator.integers(0, 4, (11, 120))
    cases = {
        "29281 × 120 of rank 11": low,
        "1000 × 1000, full rank": generator.integers(0, 20, (1000, 1000)),
        "400 × 400 of rank 120": generator.integers(0, 4, (400, 120)) @ generator.integers(0, 4, (120, 400)),
    }
    print(f"{'matrix':<26}{'affdim':>7}{'exact':>10}{'SVD':>10}{'ratio':>7}")
    for name, entries in cases.items():
        loss, floats = LossMatrix(entries), entries.astype(float)
        value = affdim(loss)
        best = best_of(
            {"exact": partial(affdim, loss), "svd": partial(np.linalg.svd, floats, compute_uv=False)}, rounds=5
        )
        note = f"  (target ≤ {TARGET:g})" if "120 of rank 11" in name or "full" in name else ""
        print(
            f"{name:<26}{value:>7}{best['exact']:>9.4f}s{best['svd']:>9.4f}s{best['exact'] / best['svd']:>7.2f}{note}"
        )


if __name__ == "__main__":
    main()
