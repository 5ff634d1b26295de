"""Rendering templates as one page: style and script are included, and no other script may run."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from ..apiserver.text.text import ACTIVE, how_many

if TYPE_CHECKING:
    import jinja2

UNSEEN = re.compile(f"(?![\u200c\u200d])[{ACTIVE}\ud800-\udfff]")
"""Characters that are invisible or change the appearance of following text: controls and direction marks.

The joiners of emoji and of Persian are kept, because a page displays the joined characters.
"""

_LONG = 36


def page(template: str, **values: Any) -> str:
    """The text of a page."""
    return _environment().get_template(template).render(**values)


def visible(value: Any) -> Any:
    """A text with all characters visible; markup that is ready for the page stays as it is."""
    return UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", value) if type(value) is str else value


def breakable(path: str) -> Any:
    """A path that, if it is long, may be broken after each dot."""
    import markupsafe

    text = markupsafe.escape(visible(path))
    return text.replace(".", markupsafe.Markup(".<wbr>")) if len(path) > _LONG else text


@cache
def _environment() -> jinja2.Environment:
    import jinja2  # slow to import, and only needed for pages
    import markupsafe

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("kubemerge.html"),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        finalize=visible,
        trim_blocks=True,
        lstrip_blocks=True,
        newline_sequence="\n",
    )
    environment.filters["breakable"] = breakable
    environment.globals["how_many"] = how_many
    for name in ("style.css", "page.js"):
        text = _file(name)
        environment.globals[name.replace(".", "_")] = markupsafe.Markup(text)  # noqa: S704 - our own file
        environment.globals[f"{name.replace('.', '_')}_hash"] = _hash(text)
    return environment


def _file(name: str) -> str:
    return resources.files("kubemerge.html").joinpath("templates").joinpath(name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    """The hash by which a content security policy allows one script or style."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
