"""The smallest changes that resolve a conflict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..manifests.live import path_of
from .former import is_former_writer
from .model import Advice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..offline.pairs import Inputs
    from .model import FieldConflict


def conflict_advice(
    by: str, title: str, file: str, force: str, inputs: Inputs
) -> Callable[[FieldConflict], tuple[Advice, ...]]:
    """The fixes for a conflict of a tool. `by` is its name in `kubemerge migrate`, `force` its command with force."""

    is_tracked = bool(inputs.live and inputs.live.content["metadata"].get("managedFields"))

    def fixes(conflict: FieldConflict) -> Iterator[Advice]:
        if not is_tracked:
            yield Advice("pass live objects with managedFields: `kubectl get -o yaml --show-managed-fields`")
            return
        if _is_former(by, conflict):
            live = f" --live {path_of(inputs.live.source)}" if inputs.live else ""
            command = f"kubemerge migrate -f {file}{live} --by {by} -o patch"
            yield Advice(f"{conflict.manager} is an earlier writer of {title}: hand its fields over", command)
        yield Advice(f"leave the field to {conflict.manager}: remove {conflict.path} from the config")
        if conflict.live is not None:
            yield Advice(f"share the field with {conflict.manager}: set it to the live value in the config")
        yield Advice(f"take the field over from {conflict.manager}, which may set it again", force)

    return lambda conflict: tuple(fixes(conflict))


def _is_former(by: str, conflict: FieldConflict) -> bool:
    """Whether a conflict is with the tool's own field manager before it applied server-side."""
    entry = {"manager": conflict.manager, "operation": conflict.operation, "subresource": conflict.subresource}
    return is_former_writer(entry, by)
