"""Run by a test beside the tutorial's unequal_parts.py: prints the gradients of two processes, and of one."""

from __future__ import annotations

import json
import os
import sys

import torch
from torch.nn.parallel import DistributedDataParallel

import lossmith as lm
from lossmith.nn import SurrogateLoss

sys.path.insert(0, ".")
generator = torch.Generator().manual_seed(0)
X = torch.randn(60, 4, generator=generator).double()
Y = torch.bucketize(X[:, 0] + X[:, 1], torch.tensor([-0.5, 0.5]).double())
SURROGATES = {"polyhedral": lm.surrogates.crammer_singer(3), "smooth": lm.surrogates.softmax(3)}
WAYS = [
    *((None, "mean", first) for first in (30, 40)),
    *((weight, "mean over all", first) for weight in (None, [1, 2, 5]) for first in (30, 40, 60)),
]
CASES = [(surrogate, *way) for surrogate in SURROGATES for way in WAYS]


def network():
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(4, 5), torch.nn.Tanh(), torch.nn.Linear(5, 3)).double()


def gradients(net, surrogate, weight, way, rows):
    """Of all parameters, after backward on some of the examples."""
    from unequal_parts import mean_over_all

    net.zero_grad()
    criterion = SurrogateLoss(SURROGATES[surrogate], weight=weight, reduction="mean" if way == "mean" else "sum")
    u, y = net(X[rows]), Y[rows]
    (criterion(u, y) if way == "mean" else mean_over_all(criterion, u, y)).backward()
    return [each.grad.tolist() for each in net.parameters()]


def one_of_two(rank, port, found):
    os.environ |= {"MASTER_ADDR": "127.0.0.1", "MASTER_PORT": port, "GLOO_SOCKET_IFNAME": "lo"}
    torch.distributed.init_process_group("gloo", rank=rank, world_size=2)
    net = DistributedDataParallel(network())
    parts = [(slice(0, first), slice(first, 60))[rank] for *_, first in CASES]
    found[rank] = [gradients(net, *case[:3], rows) for case, rows in zip(CASES, parts, strict=True)]
    torch.distributed.destroy_process_group()


if __name__ == "__main__":
    with torch.multiprocessing.get_context("spawn").Manager() as manager:
        found = manager.dict()
        torch.multiprocessing.spawn(one_of_two, (sys.argv[1], found), nprocs=2)
        of_two = [found[rank] for rank in range(2)]
    for (surrogate, weight, way, first), *both in zip(CASES, *of_two, strict=True):
        alone, *parts = (
            gradients(network(), surrogate, weight, "mean", rows)
            for rows in (slice(0, 60), slice(0, first), slice(first, 60))
            if len(Y[rows])
        )
        print(json.dumps({"way": way, "first": first, "both": both, "alone": alone, "parts": parts}))
