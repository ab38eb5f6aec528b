"""How the site is built: `make docs`."""

from __future__ import annotations

import inspect
import os
import re
import sys
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from sphinx.application import Sphinx
from sphinx_gallery.scrapers import figure_rst

import lossmith

sys.path.insert(0, str(Path(__file__).parent))
from social import ALT, draw


def drawn(_: Any, variables: dict[str, Any], settings: dict[str, Any]) -> str:
    """Show the figures that an example made: lossmith draws without pyplot, where the gallery would look."""
    paths = []
    for figure in [each for each in variables["example_globals"].values() if isinstance(each, Figure)]:
        paths.append(next(variables["image_path_iterator"]))
        figure.savefig(paths[-1], dpi=150)
    return str(figure_rst(paths, settings["src_dir"]))


def trimmed(_app: Any, _page: str, source: list[str]) -> None:
    """Leave out the empty line that ends the output of an example for doctest, before the block ends."""
    source[0] = re.sub(r"\n\n```$", "\n```", source[0], flags=re.MULTILINE)


def escaped(_app: Any, _what: str, _name: str, _object: Any, _options: Any, lines: list[str]) -> None:
    """Keep |y − t| in docstrings as it is: to reStructuredText, bars are substitutions."""
    for i, line in enumerate(lines):
        if ">>>" not in line:
            parts = re.split("(`[^`]*`)", line)  # what stands in code is kept
            lines[i] = "".join(part if part[:1] == "`" else part.replace("|", "\\|") for part in parts)


def made(_app: Any, what: str, _name: str, thing: Any, _options: Any, given: str, returns: str) -> tuple[str, str]:
    """How an object is made, where the stand-in for torch hides it."""
    if what == "class" and given == "(*args, **kwargs)":
        parameters = list(inspect.signature(thing.__init__).parameters.values())[1:]
        given = str(inspect.Signature([each.replace(annotation=inspect.Parameter.empty) for each in parameters]))
    return given, returns


def skipped(_app: Any, _what: str, name: str, _object: Any, _skip: bool, _options: Any) -> bool | None:
    """Leave out what scikit-learn adds to every estimator: set_fit_request and its like."""
    return True if re.fullmatch(r"set_\w+_request", name) else None


def finished(app: Sphinx, error: Exception | None) -> None:
    """Draw the picture that is shown where a page is linked to."""
    if error is None:
        draw(Path(app.outdir) / "_static" / "social.png")


def setup(app: Sphinx) -> None:
    """Tell Sphinx of the functions above."""
    app.connect("source-read", trimmed)
    app.connect("autodoc-process-docstring", escaped, priority=400)  # before numpydoc
    app.connect("autodoc-process-signature", made)
    app.connect("autodoc-skip-member", skipped)
    app.connect("build-finished", finished)


project = "lossmith"
author = project_copyright = "the lossmith authors"
version = release = lossmith.__version__

extensions = [
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.viewcode",
    "sphinx_design",
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_static", "_templates"]
templates_path = ["_templates"]
nitpicky = False
smartquotes = False  # what stands between quotes is often to be copied
default_role = "code"
autosummary_generate = True
autodoc_mock_imports = ["torch"]  # its page is the same where torch is not installed
autodoc_typehints = "none"
autodoc_member_order = "bysource"
numpydoc_show_class_members = False
myst_enable_extensions = ["colon_fence", "html_image"]
myst_heading_anchors = 3
suppress_warnings = ["config.cache", "misc.highlighting_failure"]
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
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/versions.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
# Where the site will stand; without an answer, where `python -m http.server -d build/docs` shows it.
html_baseurl = f"{os.environ.get('LOSSMITH_SITE', 'http://localhost:8000').rstrip('/')}/{version}/"
html_context = {
    "about": "Which decision to take when mistakes cost different amounts: exact rules, and certificates that a "
    "separate program checks.",
    "social": f"{html_baseurl}_static/social.png",
    "social_alt": ALT,
}
if (Path(__file__).parent.parent / "build" / "atlas" / "index.html").is_file():
    tags.add("atlas")  # type: ignore[name-defined]  # noqa: F821 (sphinx has it; `make docs` copies the atlas)
