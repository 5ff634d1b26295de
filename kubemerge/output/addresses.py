"""Addresses of the documentation on the web. Those in `pyproject.toml` and `README.md` have the same prefix."""

from __future__ import annotations

SITE = "https://kubemerge.github.io/kubemerge/"
"""The root of the site. A fork with its own site changes it here, and in `pyproject.toml`."""


def lint_page(code: str) -> str:
    """The page about a lint code."""
    return f"{SITE}lint/{code}.html"
