"""Tables as Python text, printed by templates.

Every value goes through `ascii`, so that anything in a specification ends up inside a quoted string, in ASCII, with the
same bytes everywhere.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import jinja2

    from .eras import History, Row


def print_package(
    history: History, releases: Mapping[int, tuple[str, str]], definitions: Sequence[Row] = ()
) -> dict[str, str]:
    """The files of a package of tables: name -> text. `releases` is minor -> (snapshot, sha256).

    `definitions` are rows of (name, first, last, schema). Only packages of several releases have a module for them.
    """
    files = {
        "__init__.py": render("package.py.j2"),
        "index.py": render(
            "index.py.j2",
            releases=[(ascii(minor), ascii(row)) for minor, row in sorted(releases.items())],
            prefixes=[(ascii(prefix), ascii(module)) for prefix, module in history.prefixes.items()],
            kinds=[ascii(row) for row in history.kinds],
        ),
    }
    if definitions:
        files["definitions.py"] = render("definitions.py.j2", definitions=[ascii(row) for row in definitions])
    for module, types in history.types.items():
        rows = [{"name": ascii(name), "rows": [ascii(row) for row in rows]} for name, rows in types.items()]
        files[f"{module}.py"] = render("types.py.j2", types=rows)
    return files


def render(template: str, **values: Any) -> str:
    """The text of a template with these values."""
    return _environment().get_template(template).render(**values)


@cache
def _environment() -> jinja2.Environment:
    import jinja2  # slow to import, and only needed for printing

    return jinja2.Environment(
        loader=jinja2.PackageLoader("codegen"),
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # noqa: S701 - this prints Python, and every value is quoted by `ascii`
        keep_trailing_newline=True,
        newline_sequence="\n",
    )
