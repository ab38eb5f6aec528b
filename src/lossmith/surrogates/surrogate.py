"""A surrogate, of either kind."""

from __future__ import annotations

from typing import TypeAlias

from lossmith.surrogates.polyhedral import PolyhedralSurrogate
from lossmith.surrogates.smooth import SmoothSurrogate

Surrogate: TypeAlias = PolyhedralSurrogate | SmoothSurrogate
