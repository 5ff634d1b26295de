"""Print the result of an apply for every object of a config: the implementation of `kubemerge merge`."""

from __future__ import annotations

from ..terminal.console import console, echo
from ..terminal.stdout import STDOUT, print_objects, write_page
from .merge import Applying

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from ...offline.pairs import Merged, OnServer
    from .merge_request import MergeRequest


def print_merged(
    asked: MergeRequest,
    output: str = "yaml",
    html: str | None = None,
    *,
    show_secrets: bool = False,
    by: OnServer | None = None,
    raw: bool = False,
) -> int:
    """Print the result of `kubectl apply` for the objects in the config, and return the exit code."""
    predicts = not raw and (output in ("yaml", "json") or html is not None)
    applying = Applying(asked, by=by, predicts=predicts, prints_stored=True)
    kept: list[Merged] = []
    results = _printed(applying, kept if html else None)
    if html == STDOUT:
        for _ in results:
            pass  # the page contains everything
    elif output == "name":
        for one in results:
            echo(one.inputs.title)
    elif output == "patch":
        from engine.values.go_json import encode

        for one in results:
            echo(encode(one.outcome.patch))
    else:
        print_objects((one.after for one in results), output)
    if html:
        from ...html import merge_page

        write_page(html, merge_page(kept, show_secrets=show_secrets), private=show_secrets)
    return applying.exit_code


def _printed(results: Any, kept: list[Merged] | None) -> Iterator[Merged]:
    for one in results:
        console().say(f"{one.inputs.title} {one.outcome.result}")
        if kept is not None:
            kept.append(one)
        yield one
