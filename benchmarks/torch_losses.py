"""How long a surrogate takes on a batch, forward and backward, as a ratio to torch's own cross-entropy.

10 000 examples with 100 labels in float32, on one thread; the two run in turn and the best of several
rounds counts, in processor time: other processes then disturb least.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable

LABELS, EXAMPLES, ROUNDS, MOST = 100, 10_000, 30, 3
TARGETED = ("crammer_singer", "weston_watkins", "lee_lin_wahba", "one_vs_all_hinge")
OTHERS = ("softmax", "one_vs_all_logistic", "one_vs_all_squared_hinge", "class_probability")


def main() -> None:
    if importlib.util.find_spec("torch") is None:
        print("torch is not installed, so there is nothing to compare with: pip install 'lossmith[torch]'")
        return
    import torch

    import lossmith as lm

    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(0)
    y = torch.randint(LABELS, (EXAMPLES,), generator=generator)
    made = {name: lm.nn.SurrogateLoss(getattr(lm.surrogates, name)(LABELS)) for name in (*TARGETED, *OTHERS)}
    made["abstain_crammer_singer, 1/3"] = lm.nn.SurrogateLoss(lm.surrogates.abstain_crammer_singer(LABELS, "1/3"))
    losses: dict[str, Callable[[torch.Tensor, torch.Tensor], torch.Tensor]] = {
        "torch multi_margin_loss": torch.nn.functional.multi_margin_loss,
        **made,
    }
    print(f"{'loss':<30}{'cross-entropy':>15}{'ours':>10}{'ratio':>7}")
    for name, loss in losses.items():
        width = made[name].dim if name in made else LABELS
        u = torch.randn(EXAMPLES, width, generator=generator, requires_grad=True)
        scores = torch.randn(EXAMPLES, LABELS, generator=generator, requires_grad=True)
        peer, ours = float("inf"), float("inf")
        for _ in range(ROUNDS):
            peer = min(peer, seconds(torch.nn.functional.cross_entropy, scores, y))
            ours = min(ours, seconds(loss, u, y))
        print(f"{name:<30}{1000 * peer:>12.2f} ms{1000 * ours:>7.2f} ms{ours / peer:>7.2f}")
    print(f"target: at most {MOST} for {', '.join(TARGETED)} and abstain_crammer_singer")


def seconds(loss: Callable, u, y) -> float:
    u.grad = None
    start = time.process_time()
    loss(u, y).backward()
    return time.process_time() - start


if __name__ == "__main__":
    main()
