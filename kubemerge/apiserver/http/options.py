"""The parameters of write requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from ..errors import BadRequest, Invalid
from ..problems import invalid, too_long, unsupported
from ..request_options import IGNORE, directive_problems
from ..text.go_text import duration_error
from ..unchecked import as_map
from .negotiation.media_types import PROTOBUF

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..problems import Problem
    from .messages import Request

LONGEST_MANAGER = 128
PROPAGATIONS = ("Foreground", "Background", "Orphan")
CALLED = "DeleteOptions"


class WriteOptions(TypedDict):
    """The options of all writes."""

    manager: str
    dry_run: bool
    field_validation: str | None


class DeleteParameters(NamedTuple):
    """The options of a deletion."""

    uid: str | None = None
    resource_version: str | None = None
    propagation: str | None = None
    grace_period: int | None = None
    dry_run: bool = False


def write_options(request: Request, called: str, first: Sequence[Problem] = ()) -> WriteOptions:
    """Return the options of a create, update or patch. `called` is their name in messages.

    `first` are the problems of further options, which precede those of the others.
    """
    manager, asked = request.asked("fieldManager"), request.query.get("dryRun", ())
    validation = IGNORE if _is_protobuf(request) else request.asked("fieldValidation") or None
    problems = [*first, *_manager_problems(manager), *_dry_run_problems(asked), *directive_problems(validation)]
    if problems:
        raise Invalid.of(f"{called}.meta.k8s.io", "", problems)
    return WriteOptions(manager=manager or program_of(request), dry_run=bool(asked), field_validation=validation)


def _manager_problems(manager: str) -> list[Problem]:
    if len(manager) > LONGEST_MANAGER:
        return [too_long("fieldManager", LONGEST_MANAGER)]
    at = None if manager.isprintable() else next(at for at, char in enumerate(manager) if not char.isprintable())
    if at is None:
        return []
    why = f"invalid character U+{ord(manager[at]):04X} (at position {len(manager[:at].encode())})"
    return [invalid("fieldManager", manager, why)]


def _dry_run_problems(asked: Sequence[str]) -> list[Problem]:
    return [unsupported("dryRun", list(asked), ["All"])] if any(one != "All" for one in asked) else []


DELETE_OPTIONS = (
    "dryRun",
    "gracePeriodSeconds",
    "ignoreStoreReadErrorWithClusterBreakingPotential",
    "orphanDependents",
    "preconditions",
    "propagationPolicy",
)
"""The fields of DeleteOptions."""


def admission_options(request: Request) -> dict[str, Any]:
    """Return the options of a request as admission policies and webhooks see them, without kind and version."""
    if request.method != "DELETE":
        found = {name: request.asked(name) for name in ("fieldManager", "fieldValidation") if request.asked(name)}
        return {**found, **_dry_run(request)}
    from .bodies import options_of

    sent = options_of(request) if request.body else delete_options(request)
    return {name: sent[name] for name in DELETE_OPTIONS if sent.get(name) not in (None, [])}


def delete_options(request: Request) -> dict[str, Any]:
    """Return the DeleteOptions in the query of a request without a body."""
    flags = ("orphanDependents", "ignoreStoreReadErrorWithClusterBreakingPotential")
    return {
        "gracePeriodSeconds": request.number("gracePeriodSeconds"),
        "propagationPolicy": request.asked("propagationPolicy") or None,
        **{name: request.flag(name) for name in flags if name in request.query},
        **_dry_run(request),
    }


def delete_parameters(sent: dict[str, Any]) -> DeleteParameters:
    """Return the parameters in DeleteOptions. Raise Invalid."""
    asked = as_map(sent.get("preconditions"))
    policy, orphans, grace = (
        sent.get(name) for name in ("propagationPolicy", "orphanDependents", "gracePeriodSeconds")
    )
    given = sent.get("dryRun") or ()
    problems = []
    if policy is not None and orphans is not None:
        why = "orphanDependents and deletionPropagation cannot be both set"
        problems.append(invalid("propagationPolicy", policy, why))
    if policy is not None and policy not in PROPAGATIONS:
        problems.append(unsupported("propagationPolicy", policy, [*PROPAGATIONS, "nil"]))
    if problems:
        raise Invalid.of(f"{CALLED}.meta.k8s.io", "", problems)
    if orphans is not None:
        policy = "Orphan" if orphans else "Background"
    return DeleteParameters(
        uid=asked.get("uid"),
        resource_version=asked.get("resourceVersion"),
        propagation=policy,
        grace_period=grace if isinstance(grace, int) else None,
        dry_run=dry_run(given if isinstance(given, list) else [str(given)] if given else (), CALLED),
    )


def _dry_run(request: Request) -> dict[str, Any]:
    given = request.query.get("dryRun", ())
    return {"dryRun": list(given)} if given else {}


def _is_protobuf(request: Request) -> bool:
    """Whether the body is protobuf, whose unknown fields servers never report."""
    return request.headers.get("content-type", "").startswith(PROTOBUF)


def dry_run(asked: Sequence[str], called: str) -> bool:
    """Whether nothing is to be stored."""
    problems = _dry_run_problems(asked)
    if problems:
        raise Invalid.of(f"{called}.meta.k8s.io", "", problems)
    return bool(asked)


def check_timeout(request: Request) -> None:
    """Reject an invalid parameter `timeout`. A watch ignores it."""
    asked = request.asked("timeout")
    why = duration_error(asked) if asked else ""
    if why and not (request.flag("watch") or "/watch/" in request.path):
        raise BadRequest(f"invalid timeout specified in the request URL - {why}")


def program_of(request: Request) -> str:
    """Return the program in the User-Agent, which is the default field manager."""
    agent = request.headers.get("user-agent", "").partition("/")[0]
    return "".join(char for char in agent if char.isprintable())[:LONGEST_MANAGER] or "unknown"
