"""Double description of rational cones; see `cones`."""

from lossmith.geometry.cones import (
    GrowingCone,
    Progress,
    described,
    described_envelope,
    extreme_rays,
    facets,
    lower_envelope,
)
from lossmith.geometry.few_rays import Row

__all__ = [
    "GrowingCone",
    "Progress",
    "Row",
    "described",
    "described_envelope",
    "extreme_rays",
    "facets",
    "lower_envelope",
]
