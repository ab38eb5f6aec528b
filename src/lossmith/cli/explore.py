"""lossmith explore: a page on which costs are played with."""

from __future__ import annotations

import secrets
import socket
import webbrowser
from contextlib import suppress

import click

from lossmith.cli.options import LOSS_EPILOG, gains_option
from lossmith.cli.printing import say
from lossmith.errors import BadInput, NotInstalled
from lossmith.losses.named import loss_named


@click.command("explore", short_help="Play with costs on a page that answers at once.", epilog=LOSS_EPILOG)
@click.argument("loss", required=False)
@gains_option
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="The port to listen at.  [default: a free one]")
@click.option("--no-browser", is_flag=True, help="Print the address, and open no browser.")
def explore_command(loss: str | None, gains: bool, port: int, no_browser: bool) -> None:
    """Open a page on which costs are changed and the rule, the picture and the price of habits follow.

    LOSS may also be a state that was copied from the page, '#ey…'. The page is served to this machine alone; Ctrl-C
    ends it.

    \b
    lossmith explore
    lossmith explore costs.csv
    lossmith explore abstain:n=3,cost=1/3 --no-browser --port 8000
    """
    try:
        import uvicorn

        from lossmith.explore.server import app
    except ImportError:
        raise NotInstalled("lossmith explore needs starlette and uvicorn; pip install 'lossmith[explore]'") from None
    from lossmith.explore.examples import first
    from lossmith.explore.state import fragment_of, loss_of, state_in, state_of

    if loss is None:
        state = first()
    elif loss.startswith("#"):
        state = state_in(loss)
        loss_of(state)
    else:
        state = state_of(loss_named(loss, gains).matrix())
    listening = _listening(port)
    port, token = listening.getsockname()[1], secrets.token_urlsafe(24)
    address = f"http://127.0.0.1:{port}/?token={token}{fragment_of(state)}"
    say(f"{address}\nOpen it in a browser on this machine. Ctrl-C ends it.")
    settings = uvicorn.Config(app(token, port), log_level="warning", access_log=False, timeout_graceful_shutdown=1)
    if not no_browser:
        webbrowser.open(address)
    with suppress(KeyboardInterrupt):  # as it is meant to end
        uvicorn.Server(settings).run(sockets=[listening])
    say("ended")


def _listening(port: int) -> socket.socket:
    """A socket of this machine alone."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(("127.0.0.1", port))
        listening.listen()  # before the address is told: who is faster than the server waits, and is not refused
    except OSError as error:
        listening.close()
        raise BadInput(f"port {port} cannot be used ({error.strerror}); leave out --port for a free one") from None
    return listening
