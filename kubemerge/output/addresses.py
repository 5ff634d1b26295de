"""Where the documentation is read on the web; the addresses in `pyproject.toml` and `README.md` begin like this one."""

from __future__ import annotations

SITE = "https://kubemerge.github.io/kubemerge/"
"""The root of the site. A fork that publishes its own changes it here, and in `pyproject.toml`."""


def lint_page(code: str) -> str:
    """The page on a code of lint."""
    return f"{SITE}lint/{code}.html"
