"""Samples of many cases, for the fast tests; the exhaustive ones look at all."""

from __future__ import annotations

import zlib


def sampled(case: str, one_of: int) -> bool:
    """Whether a case is in the sample of one case of so many. This depends on the name of the case alone."""
    return zlib.crc32(case.encode("utf-8", "surrogatepass")) % one_of == 0
