"""Templates to one page of text: the style and the script are put inside, and nothing else may run in it."""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from ..output.text import how_many

if TYPE_CHECKING:
    import jinja2

_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\ufff9-\ufffb]"
)
"""What has no look of its own, or changes the look of what follows: controls, and marks of the writing direction."""

_LONG = 36


def page(template: str, **values: Any) -> str:
    """The text of a page."""
    return _environment().get_template(template).render(**values)


def visible(value: Any) -> Any:
    """A text whose every character can be seen; all that is no plain text stays as it is."""
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", value) if type(value) is str else value


def breakable(path: str) -> Any:
    """A path that, if it is long, may go on in the next line behind each dot."""
    import markupsafe

    text = markupsafe.escape(visible(path))
    return text.replace(".", markupsafe.Markup(".<wbr>")) if len(path) > _LONG else text


@cache
def _environment() -> jinja2.Environment:
    import jinja2  # slow to import, and only pages need it
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
    """How a content security policy names the one script or style that it allows."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
