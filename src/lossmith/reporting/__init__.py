"""A report on a loss that one can send to a colleague: one page of HTML, or the same as plain data."""

from __future__ import annotations

from lossmith.reporting.content import Report, report

__all__ = ["Report", "report"]
