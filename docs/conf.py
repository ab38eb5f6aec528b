"""How the site is built: `make docs`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from sphinx_gallery.scrapers import figure_rst

import lossmith


def drawn(_: Any, variables: dict[str, Any], settings: dict[str, Any]) -> str:
    """Show the figures that an example made: lossmith draws without pyplot, where the gallery would look."""
    paths = []
    for figure in [each for each in variables["example_globals"].values() if isinstance(each, Figure)]:
        paths.append(next(variables["image_path_iterator"]))
        figure.savefig(paths[-1], dpi=150)
    return str(figure_rst(paths, settings["src_dir"]))


project = "lossmith"
author = "the lossmith authors"
version = release = lossmith.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["conf.py"]
nitpicky = False
autosummary_generate = True
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
myst_heading_anchors = 3
suppress_warnings = ["myst.xref_missing", "config.cache", "misc.highlighting_failure"]
sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "gallery",
    "filename_pattern": "/plot_",
    "min_reported_time": 10**6,
    "image_scrapers": (drawn,),
    "show_signature": False,
    "write_computation_times": False,
    "plot_gallery": True,
}
html_theme = "furo"
html_title = "lossmith"
html_static_path: list[str] = []
if (Path(__file__).parent.parent / "build" / "atlas" / "index.html").is_file():
    tags.add("atlas")  # type: ignore[name-defined]  # noqa: F821 (sphinx has it; `make docs` copies the atlas)
