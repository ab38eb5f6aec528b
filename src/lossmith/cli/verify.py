"""lossmith verify: check a certificate with the separate checker: accepted, conditional or rejected."""

from __future__ import annotations

import click

from lossmith.cli.options import progress_bar
from lossmith.cli.printing import say, say_json
from lossmith.errors import BadInput


@click.command("verify", short_help="Check a certificate.")
@click.argument("certificate")
@click.option("--explain", is_flag=True, help="Say what the certificate proves, step by step.")
@click.option("--allow-conditions", is_flag=True, help="Exit with 0, not 3, if the claim is conditional.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def verify_command(certificate: str, explain: bool, allow_conditions: bool, as_json: bool) -> int:
    """Check a certificate with the separate checker: exit 0 if accepted, 1 if rejected, 3 if conditional.

    A claim is conditional if it rests on something about the surrogate that the file does not show. The answer names
    the condition first.

    \b
    lossmith verify proof.json
    lossmith verify proof.json --explain
    lossmith verify proof.json --allow-conditions
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
        say_json({**answer._asdict(), "conditional": answer.conditional})
    else:
        say(explained(text) if explain else answer)
    if not answer.accepted:
        return 1
    return 3 if answer.conditional and not allow_conditions else 0
