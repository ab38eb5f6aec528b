"""Training with PyTorch, which is loaded here and nowhere else."""

from __future__ import annotations

from importlib.util import find_spec

from lossmith.errors import NotInstalled

if find_spec("torch") is None:
    raise NotInstalled("lossmith.nn needs PyTorch; install it with: pip install 'lossmith[torch]'")

from lossmith.nn.surrogate_loss import SurrogateLoss

__all__ = ["SurrogateLoss"]
