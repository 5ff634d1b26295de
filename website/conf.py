"""The Sphinx configuration. Pages load nothing from other hosts: fonts are the reader's, and the search is local."""

from __future__ import annotations

from engine import __version__

project = "kubemerge"
author = "the authors of kubemerge"
version = release = __version__
extensions = ["myst_parser"]
root_doc = "index"
source_suffix = {".md": "markdown"}
exclude_patterns: list[str] = []
myst_heading_anchors = 4
myst_enable_extensions = ["html_image"]
smartquotes = False
html_theme = "furo"
html_title = f"kubemerge {release}"
html_show_sphinx = False
html_show_copyright = False
html_copy_source = False
html_use_index = False
html_permalinks_icon = "#"
html_extra_path = ["extra"]
html_static_path = ["static"]
html_css_files = ["ours.css"]
html_favicon = "static/icon.svg"
html_theme_options = {"navigation_with_keys": False, "top_of_page_buttons": []}
pygments_style = "a11y-high-contrast-light"
pygments_dark_style = "a11y-high-contrast-dark"
templates_path: list[str] = []
