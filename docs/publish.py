"""Make a site of the versions that stand in a folder, side by side: `python docs/publish.py build/docs`.

It writes the list of versions, `latest/` with a page for each page of the newest one that leads there, and sitemap.xml.
LOSSMITH_SITE is the address that the site will have.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path
from xml.sax.saxutils import escape

_REDIRECT = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>lossmith</title>
<meta http-equiv="refresh" content="0; url={address}">
<link rel="canonical" href="{address}">
</head>
<body><p><a href="{address}">lossmith</a></p></body>
</html>
"""
_NOT_LISTED = ("_modules/", "_static/", "atlas/", "genindex.html", "py-modindex.html", "search.html")


def publish(folder: Path, site: str) -> None:
    """Write what the versions have in common."""
    versions = sorted((path.parent.name for path in folder.glob("[0-9]*/index.html")), key=_numbers, reverse=True)
    newest = folder / versions[0]
    (folder / "versions.json").write_text(json.dumps(versions) + "\n")
    (folder / "versions.js").write_text(f"window.LOSSMITH_VERSIONS = {json.dumps(versions)};\n")
    (folder / "index.html").write_text(_REDIRECT.format(address=f"{newest.name}/index.html"))
    pages = sorted(path.relative_to(newest).as_posix() for path in newest.rglob("*.html"))
    shutil.rmtree(folder / "latest", ignore_errors=True)  # with pages that the newest version has no longer
    for page in pages:
        path = folder / "latest" / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_REDIRECT.format(address=f"{'../' * (page.count('/') + 1)}{newest.name}/{page}"))
    listed = [page for page in pages if not page.startswith(_NOT_LISTED)]
    places = "".join(f"<url><loc>{escape(f'{site}/{newest.name}/{page}')}</loc></url>\n" for page in listed)
    frame = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{}</urlset>\n'
    (folder / "sitemap.xml").write_text('<?xml version="1.0" encoding="UTF-8"?>\n' + frame.format(places))


def _numbers(version: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", version)]


if __name__ == "__main__":
    publish(Path(sys.argv[1]), os.environ.get("LOSSMITH_SITE", "http://localhost:8000").rstrip("/"))
