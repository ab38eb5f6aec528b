"""What messages quote of the input: names and values, whatever the words around them."""

from __future__ import annotations

import re


def quotes(message: str, *quoted: str) -> bool:
    """Whether each of these stands in the message in this order, not as a part of a longer name or number."""
    start = 0
    for each in quoted:
        before = r"(?<![\w.-])" if re.match(r"\w", each) else r"(?<!\w)" if each.startswith("-") else ""
        after = r"(?![\w-]|\.\w)" if re.search(r"\w$", each) else ""
        found = re.compile(before + re.escape(each) + after).search(message, start)
        if found is None:
            return False
        start = found.end()
    return True


def numbers_in(message: str) -> list[float]:
    """The numbers that a message quotes, in order."""
    return [float(x) for x in re.findall(r"-?\b\d+(?:\.\d+)?(?:e[+-]?\d+)?", message)]
