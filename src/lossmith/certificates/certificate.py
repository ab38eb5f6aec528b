"""Certificates: a claim, its inputs and its evidence, as JSON that `lossmith_verify` checks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from os import PathLike
from typing import TYPE_CHECKING, Any

from lossmith.errors import BadInput
from lossmith.text.files import replacing

if TYPE_CHECKING:
    from lossmith_verify import Verification

VERSION = 2


@dataclass(frozen=True)
class Certificate:
    """A certificate as JSON text; `content` is the same as plain data."""

    text: str

    @classmethod
    def of(cls, claim: str, inputs: Mapping[str, Any], evidence: Mapping[str, Any]) -> Certificate:
        """Write the claim, the inputs and the evidence in canonical form."""
        head = {"format": "lossmith-certificate", "version": VERSION, "claim": claim}
        content = {**head, **inputs, "evidence": evidence}
        return cls(json.dumps(content, ensure_ascii=False, separators=(",", ":")) + "\n")

    @property
    def content(self) -> dict[str, Any]:
        """The certificate as plain data."""
        content: dict[str, Any] = json.loads(self.text)
        return content

    @property
    def claim(self) -> str:
        """What is claimed."""
        return str(self.content["claim"])

    def to_json(self, path: str | PathLike[str] | None = None) -> str:
        """The JSON text; also written to `path` if given."""
        if path is not None:
            with replacing(path) as stream:
                stream.write(self.text.encode())
        return self.text

    def __repr__(self) -> str:
        return f"Certificate({self.claim!r}, {len(self.text.encode()):,} bytes)"


def verify(certificate: Certificate | str | bytes) -> Verification:
    """Check a certificate, or its JSON as text or bytes, with `lossmith_verify`, which shares no code with lossmith.

    The answer has `.accepted`, `.given` (what is taken on trust about the surrogate of the file), `.conditional`
    (whether there is such a condition), `.theorems` (named theorems that it rests on) and `.why`.

    Parameters
    ----------
    certificate
        What `verdict.certificate` holds, or the content of a file.

    Examples
    --------
    >>> import lossmith as lm
    >>> verdict = lm.check("crammer-singer", "abstain:n=3")
    >>> lm.verify(verdict.certificate).conditional
    False
    >>> lm.verify(lm.check("softmax", "zero-one:n=3").certificate).conditional
    True
    """
    import lossmith_verify

    text = certificate.text if isinstance(certificate, Certificate) else certificate
    if not isinstance(text, str | bytes):
        raise BadInput(
            f"the certificate is of type {type(text).__name__}; give a Certificate, or its JSON as text or bytes: "
            f"Path(file).read_bytes(), or json.dumps(content)"
        )
    return lossmith_verify.check(text)


def vector(values: Iterable[Fraction | int]) -> list[str]:
    """Several rationals."""
    return [str(value) for value in values]


def weights(
    p: Sequence[Fraction],
    pieces: Iterable[tuple[int, int, int, Fraction]],
    inequalities: Iterable[tuple[int, Fraction]],
    equations: Iterable[tuple[int, Fraction]],
) -> dict[str, Any]:
    """The reason *weights*: p ∈ N(ψ(u))."""
    return {
        "p": vector(p),
        "pieces": [[y, g, j, str(w)] for y, g, j, w in pieces],
        "inequalities": [[i, str(w)] for i, w in inequalities],
        "equations": [[i, str(w)] for i, w in equations],
    }
