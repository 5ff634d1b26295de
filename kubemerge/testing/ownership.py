"""Assertions about the fields that an operator owns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ownership.taken_fields import AllowedFields, NoWrites, require_writes, taken_fields

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..apiserver.http.listening.running import Serving


def assert_owns(server: Serving, manager: str, allowed: Iterable[str]) -> None:
    """Fail if a manager's writes took fields that it may not own.

    `server` is the `kube_server` fixture. `allowed` are paths, each with everything inside it: `metadata.finalizers`,
    `status`, `spec.containers[name=web].image`. `*` stands for one part of a path, such as a name, and `**` for any
    number of them. The AssertionError names every other field, and the write that took it. A manager without writes is
    an error, too, because its name is probably wrong.
    """
    paths = list(allowed)
    try:
        require_writes([manager], server.writes())
    except NoWrites as error:
        raise AssertionError(str(error)) from None
    fields = taken_fields(server.writes(manager), AllowedFields({manager: paths}))
    taken = [f"  {field.text}" for field in fields if not field.allowed]
    if taken:
        head = f"{manager} took fields that it may not own (allowed: {', '.join(paths) or 'none'}):"
        raise AssertionError("\n".join([head, *taken]))
