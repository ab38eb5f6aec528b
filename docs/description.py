"""What the wheel says of itself beyond pyproject.toml: the README where its links lead somewhere, and addresses.

A registry shows the README far from the files that it links to. LOSSMITH_REPOSITORY is the address of the repository,
LOSSMITH_SITE that of the site; the job that publishes knows both. Without the first, links to files are plain text.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

_CODE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)")
_PICTURE = re.compile(r'(<img src=")(?!https?:)([^"]+)("[^>]*>)')


class Description(MetadataHookInterface):
    """Fills in the fields that pyproject.toml calls dynamic."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the README and the addresses."""
        source, site = (os.environ.get(f"LOSSMITH_{name}", "").rstrip("/") for name in ("REPOSITORY", "SITE"))
        text = Path(self.root, "README.md").read_text(encoding="utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": readable(text, source, metadata["version"])}
        places = {"Documentation": site, "Source": source, "Issues": source and f"{source}/issues"}
        metadata["urls"] = {name: address for name, address in places.items() if address}


def readable(text: str, source: str, version: str) -> str:
    """The README with links to the files of this version, or with none where nobody says where the files are."""
    file = rf"[\1]({source}/blob/v{version}/\2)" if source else r"\1"
    picture = rf"\1{source}/raw/v{version}/\2\3" if source else ""
    parts = _CODE.split(text)
    parts[::2] = [_PICTURE.sub(picture, _FILE.sub(file, words)) for words in parts[::2]]  # between them is code
    return "".join(parts)
