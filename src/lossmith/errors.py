"""What can go wrong, as a tree; every message is one line that quotes the input and names the next step.

LossmithError
├── BadInput (ValueError)      the input means nothing as it stands
│   ├── BadNumber              one value is not a rational number
│   ├── BadLoss                a loss matrix, or the file that holds it or the probabilities to decide by
│   ├── BadSurrogate           a surrogate that is not convex, not piecewise linear, or not bounded below by 0
│   └── UnknownName            no family, parameter, label or prediction of that name
├── BadFamily                  a family of losses or surrogates that lacks a declaration, or does not keep a promise
├── Impossible                 no surrogate of the asked dimension exists, with the bound that proves it; or no constant
├── NotFound                   none was found, which proves nothing; says what was tried
├── NotAnswered                workers were lost before they answered; says what was kept
├── TooLarge                   more work than the budget allows; says which option raises it
├── NotWritten (OSError)       a file, or the standard output, that does not take what is written to it
└── NotInstalled (ImportError) an optional package is missing; says what to install

Deprecated (FutureWarning)     a name or an option that the next minor version lacks; names the replacement
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from lossmith.text.names import one_line


class LossmithError(Exception):
    """Anything that lossmith refuses to do, with the reason."""

    def __str__(self) -> str:
        return one_line(super().__str__())  # whatever names it quotes, it stays one line


class BadInput(LossmithError, ValueError):
    """Input that means nothing as it stands."""


class BadNumber(BadInput):
    """A value that is not a rational number."""


class BadLoss(BadInput):
    """A loss matrix that cannot be used, or a file from which none can be read."""


class BadSurrogate(BadInput):
    """A surrogate that cannot be used; the message names the term, or the label and the point."""


class UnknownName(BadInput):
    """A name that nothing carries; the message lists the nearest ones."""


class BadFamily(LossmithError):
    """A family that lacks a declaration or fails a check; the message names which, and what to write."""


class Impossible(LossmithError):
    """A design that a lower bound rules out, `bound`; or a constant for what is not calibrated."""

    def __init__(self, message: str, bound: object = None) -> None:
        super().__init__(message)
        self.bound = bound


class NotFound(LossmithError):
    """A design that was not found; the message says how much was tried."""


class NotAnswered(LossmithError):
    """Workers, or a whole cluster, that were lost before they answered; the message says what was kept."""


class TooLarge(LossmithError):
    """Work that exceeds its budget; the message gives the size and the option that raises it."""


class NotWritten(LossmithError, OSError):
    """Output that was not written, or not whole; the message names the file and what the system says."""


class NotInstalled(LossmithError, ImportError):
    """An optional package that is not installed; the message gives the command that installs it."""


class Deprecated(FutureWarning):
    """A name or an option that the next minor version no longer has; the message names its replacement."""


_AS_NEAR = 0.15  # how much less alike a second suggestion may be


def nearest(name: object, known: Iterable[object]) -> str:
    """Say which known names come nearest to `name`, or list them all when there are few.

    >>> nearest("abstian", ["zero_one", "abstain"])
    "did you mean 'abstain'?"
    >>> nearest("x", ["a", "b"]), nearest(2, [0, 1])
    ("known: 'a', 'b'", 'known: 0, 1')
    """
    names = {str(each): repr(str(each)) if isinstance(each, str) else str(each) for each in known}
    close = difflib.get_close_matches(name, names, n=3) if isinstance(name, str) else []  # 12 is not near to 1
    if close:
        alike = [difflib.SequenceMatcher(None, each, str(name)).ratio() for each in close]
        close = [each for each, x in zip(close, alike, strict=True) if x > alike[0] - _AS_NEAR]
        return f"did you mean {' or '.join(names[each] for each in close)}?"
    shown = ", ".join([*names.values()][:12])
    return f"known: {shown}" + (", …" if len(names) > 12 else "")
