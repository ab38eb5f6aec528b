"""lossmith verify: check a certificate with the separate checker: exit 0 if accepted, 1 if rejected."""

from __future__ import annotations

import click

from lossmith.cli.options import progress_bar
from lossmith.cli.printing import say, say_json
from lossmith.errors import BadInput


@click.command("verify", short_help="Check a certificate.")
@click.argument("certificate")
@click.option("--explain", is_flag=True, help="Say what the certificate proves, step by step.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verify_command(certificate: str, explain: bool, as_json: bool) -> int:
    """Check a certificate with the separate checker: exit 0 if accepted, 1 if rejected.

    \b
    lossmith verify proof.json
    lossmith verify proof.json --explain
    """
    import lossmith_verify
    from lossmith.certificates.explaining import explain as explained

    try:
        with open(certificate, "rb") as file:
            text = file.read(lossmith_verify.MAX_BYTES + 1)  # the checker rejects what is longer
    except OSError as error:
        raise BadInput(f"cannot read {certificate!r}: {error.strerror}") from None
    with progress_bar(f"checking {certificate}"):
        answer = lossmith_verify.check(text)
    if as_json:
        say_json(answer._asdict())
    else:
        say(explained(text) if explain else answer)
    return 0 if answer.accepted else 1
