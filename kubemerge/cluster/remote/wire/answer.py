"""What a server answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from engine import MergeError
from engine.values.go_json import decode

from ...errors import ConnectError

if TYPE_CHECKING:
    from collections.abc import Mapping


class Answer(NamedTuple):
    """The code, the headers and the body of an answer."""

    code: int
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        """The body, which is JSON; a ConnectError if it is something else."""
        try:
            return decode(self.body)
        except MergeError:
            raise ConnectError("the server answered with something that is not JSON; is it an API server?") from None
