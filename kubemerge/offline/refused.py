"""What a server would refuse of a change to an object in a file, where no server is asked: told for built-in kinds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..apiserver.admission import admitted
from ..apiserver.decoding.decoded import decoded
from ..apiserver.decoding.typed import misfit, why
from ..apiserver.decoding.unknown import said
from ..apiserver.errors import ClusterError, Invalid
from ..apiserver.resources import built_in
from ..output.secrets import is_secret

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine import Schema

    from ..apiserver.protocol import Object, Resource
    from ..apiserver.resources import Kinds
    from .pairs import Merged


_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_NUMBER = re.compile(r"\bnumber \S+(?= into )")
"""The value that cannot be read, if it is a number; other values are not in the message."""


def refusal(merged: Merged) -> str:
    """Why a server would refuse to make the live object what an apply makes of it; empty if it would not.

    Nothing is said of what it would refuse in the live object already, which a server has taken as it is.
    """
    live, schema = merged.inputs.live, merged.inputs.schema
    if live is None or schema is None or not schema.built_in or live.key != merged.inputs.manifest.key:
        return ""
    kinds = built_in(schema.release or "")
    try:
        resource = kinds.resource(*live.key)
    except ClusterError:  # a kind that nobody stores
        return ""
    problems = _problems(merged.after, live.content, schema, resource, kinds)
    known = _problems(live.content, live.content, schema, resource, kinds) if problems else []
    found = [one for one in problems if one not in known]
    return in_words(found, merged.after) if found else ""


def in_words(problems: Sequence[str], content: Object) -> str:
    """The first of the problems, and how many there are; of a Secret only where it is."""
    first = problems[0].partition("\n")[0]
    if is_secret(content):
        first = _NUMBER.sub("number", first) if first.startswith("json: ") else first.partition(": ")[0]
        first = _QUOTED.sub('"***"', first)
    return f"{first}{f', and {len(problems) - 1} more' if len(problems) > 1 else ''}"


def _problems(content: Object, live: Object, schema: Schema, resource: Resource, kinds: Kinds) -> list[str]:
    """What a server refuses of a change."""
    wrong = misfit(content, schema)
    if wrong is not None:
        return [why(wrong, schema)]
    problems = said(content, schema)
    try:
        admitted(decoded(content, resource, kinds), live, resource, kinds, lambda full: full)
    except Invalid as error:
        problems += error.problems or [str(error)]
    except ClusterError as error:
        problems.append(str(error))
    return problems
