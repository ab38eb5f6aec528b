"""What the checker says of conditional claims, of squares, of predictions far out and of covers in version 1."""

from __future__ import annotations

from typing import Any

import pytest

from lossmith.certificates.explaining import explain
from lossmith_verify import check
from lossmith_verify.__main__ import main
from verify.handmade import ALL, rows, text

EXPLAINED = ["squares", "squares, pred: not calibrated", "far out, pred", "theorem: cost-weighted"]


@pytest.mark.parametrize("name", EXPLAINED)
def test_explained(name, snapshot):
    assert explain(text(ALL[name])) == snapshot


def forged(name: str, part: str, **changes: Any) -> str:
    certificate = ALL[name]
    return text({**certificate, part: {**certificate[part], **changes}})


def test_rejected(snapshot):
    far, hinge = "far out, pred", "pred: not calibrated"
    files = {
        "version 3": text({**ALL["squares"], "version": 3, "later": []}),
        "another format": text({**ALL["squares"], "format": "other"}),
        "a reason that is not known": text({**ALL["squares"], "evidence": {"witness": []}}),
        "a theorem that is not known": forged("squares", "surrogate", theorem="by magic"),
        "squares with a domain": forged("squares", "surrogate", inequalities=[]),
        "squares with a weight of 0": forged("squares", "surrogate", weights=["0", "1", "1"]),
        "another prediction far out": forged(far, "evidence", prediction=0),
        "an earlier prediction far out": forged(far, "evidence", u=["1", "-1"]),
        "far out in version 1": text({**ALL[far], "version": 1}),
        "a label that is served in part": forged(far, "surrogate", estimates=[["0", "0"], ["0", "0"], ["0", "1"]]),
        "a gap in version 1": forged("mean, pred: calibrated", "pred", regions=[[rows([-9, 1])], [], []]),
        "an earlier region in version 1": forged(hinge, "pred", regions=[[rows()], [rows()], []]),
    }
    assert "\n".join(f"{name}\n    {check(each)}" for name, each in files.items()) == snapshot


def test_help(snapshot, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    with pytest.raises(SystemExit):
        main(["--help"])
    assert capsys.readouterr().out == snapshot
