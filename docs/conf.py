"""How the site is built: `make docs`."""

from __future__ import annotations

import lossmith

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
suppress_warnings = ["myst.xref_missing", "config.cache"]
sphinx_gallery_conf = {
    "examples_dirs": "../examples/gallery",
    "gallery_dirs": "gallery",
    "filename_pattern": "/plot_",
    "min_reported_time": 10**6,
    "show_signature": False,
    "plot_gallery": True,
}
html_theme = "furo"
html_title = "lossmith"
html_static_path: list[str] = []
