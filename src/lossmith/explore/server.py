"""The server of the page: on this machine alone, for who has the token, and for no page of another origin.

The first request carries the token in its address and gets a cookie for it and an address without; every other one
carries the cookie. Names of hosts other than this machine's, foreign origins and large requests are refused.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from lossmith.errors import TooLarge
from lossmith.explore.answers import QUESTIONS, QUICK
from lossmith.explore.examples import examples
from lossmith.explore.state import LIMITS
from lossmith.explore.workers import Workers

MOST_BYTES = 2_000_000  # of a request
_MEDIA = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "content-security-policy": _POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}


class Guard:
    """Lets in who may come: this host, no foreign origin, the token or its cookie."""

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        self._app, self._token = app, token
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
        self.cookie = f"lossmith-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it; with headers that bind the browser."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] += [(key.encode(), value.encode()) for key, value in _HEADERS.items()]
            await send(message)

        request = Request(scope)
        refused = self._refused(request)
        answer: ASGIApp = self._app if refused is None else refused
        await answer(scope, receive, with_headers)

    def _refused(self, request: Request) -> Response | None:
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        if host not in self._hosts:
            return _no(403, "this host is not served; use the address that lossmith explore printed")
        if origin is not None and origin not in {f"http://{each}" for each in self._hosts}:
            return _no(403, "pages of other origins are not answered")
        if request.headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
            return _no(403, "pages of other sites are not answered")
        given = request.query_params.get("token")
        if given is not None and request.url.path == "/" and request.method == "GET":
            if not secrets.compare_digest(given.encode(), self._token.encode()):
                return _no(401, "the token in the address is not that of this server; use the address it printed")
            entered = RedirectResponse("/", 303)
            entered.set_cookie(self.cookie, self._token, httponly=True, samesite="strict", path="/")
            return entered
        held = request.cookies.get(self.cookie, "")
        if not secrets.compare_digest(held.encode(), self._token.encode()):
            return _no(401, "this needs the token; use the address that lossmith explore printed")
        return None


def app(token: str, port: int) -> Starlette:
    """The application, with its processes from its start to its end."""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        app.state.workers = Workers()
        try:
            yield
        finally:
            app.state.workers.close()

    routes = [
        Route("/", _page),
        Route("/page/{name}", _page),
        Route("/api/start", _start),
        Route("/api/jobs", _jobs),
        Route("/api/{question}", _ask, methods=["POST"]),
    ]
    return Starlette(routes=routes, lifespan=lifespan, middleware=[Middleware(Guard, token=token, port=port)])


async def _page(request: Request) -> Response:
    name = request.path_params.get("name", "index.html")
    folder = files("lossmith.explore") / "page"
    known = {each.name for each in folder.iterdir()}
    media = _MEDIA.get("." + name.rpartition(".")[2])
    if name not in known or media is None:
        return _no(404, f"there is no {name[:60]!r} here")
    return Response((folder / name).read_bytes(), media_type=media)


async def _start(request: Request) -> Response:
    return JSONResponse({"examples": examples(), "limits": LIMITS})


async def _jobs(request: Request) -> Response:
    workers: Workers = request.app.state.workers
    return JSONResponse({"running": workers.running, "waiting": workers.waiting, "workers": workers.processes})


async def _ask(request: Request) -> Response:
    question = request.path_params["question"]
    if question not in QUESTIONS:
        return _no(404, f"there is no question {question[:60]!r}")
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        return _no(415, "the request is not application/json")
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > MOST_BYTES:
            return _no(413, f"the request has more than {MOST_BYTES:,} bytes; use the command line")
    try:
        asked = json.loads(body)
    except (ValueError, RecursionError):
        asked = None
    if not isinstance(asked, dict):
        return _no(400, "the request is no JSON object")
    workers: Workers = request.app.state.workers
    return StreamingResponse(_lines(workers, question, asked), media_type="application/x-ndjson")


async def _lines(workers: Workers, question: str, asked: dict[str, Any]) -> AsyncIterator[bytes]:
    try:
        async for message in workers.ask(question, asked, quick=question in QUICK):
            yield json.dumps(message, ensure_ascii=False).encode() + b"\n"
    except TooLarge as error:
        yield json.dumps({"refused": str(error), "cell": None}).encode() + b"\n"


def _no(status: int, reason: str) -> Response:
    return JSONResponse({"refused": reason}, status)
