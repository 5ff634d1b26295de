"""Probes and lifecycle hooks of containers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...problems import Problem, forbidden, invalid, required, unsupported
from ...unchecked import as_map, as_number, as_text, maps
from .. import eras
from ..values import formats

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ...unchecked import Object

SCHEMES = ("HTTP", "HTTPS")
SIGNALS_ON_WINDOWS = ("SIGKILL", "SIGTERM")
SIGNALS = tuple(
    sorted(
        (
            *[
                "SIGABRT",
                "SIGALRM",
                "SIGBUS",
                "SIGCHLD",
                "SIGCLD",
                "SIGCONT",
                "SIGFPE",
                "SIGHUP",
                "SIGILL",
                "SIGINT",
                "SIGIO",
                "SIGIOT",
                "SIGKILL",
                "SIGPIPE",
                "SIGPOLL",
                "SIGPROF",
                "SIGPWR",
                "SIGQUIT",
                "SIGSEGV",
                "SIGSTKFLT",
                "SIGSTOP",
                "SIGSYS",
                "SIGTERM",
                "SIGTRAP",
                "SIGTSTP",
                "SIGTTIN",
                "SIGTTOU",
                "SIGURG",
                "SIGUSR1",
                "SIGUSR2",
                "SIGVTALRM",
                "SIGWINCH",
                "SIGXCPU",
                "SIGXFSZ",
                "SIGRTMIN",
                "SIGRTMAX",
            ],
            *(f"SIGRTMIN+{number}" for number in range(1, 16)),
            *(f"SIGRTMAX-{number}" for number in range(1, 15)),
        )
    )
)
_SECONDS = ("initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold")


def probe(at: str, one: Any, grace: int | None, kind: str) -> Iterator[Problem]:
    """Validate a probe. `kind` is liveness, readiness or startup."""
    if not isinstance(one, dict):
        return
    yield from _handler(at, one, _OF_PROBES, grace)
    yield from formats.not_negative(at, one, *_SECONDS)
    seconds = as_number(one.get("terminationGracePeriodSeconds"))
    if seconds is not None and seconds <= 0:
        yield invalid(f"{at}.terminationGracePeriodSeconds", seconds, "must be greater than 0")
    if kind == "readiness" and seconds is not None:
        yield invalid(f"{at}.terminationGracePeriodSeconds", seconds, "must not be set for readinessProbes")
    threshold = as_number(one.get("successThreshold"))
    if kind != "readiness" and threshold not in (None, 1):
        yield invalid(f"{at}.successThreshold", threshold, "must be 1")


def lifecycle(at: str, one: Any, grace: int | None, os: Any) -> Iterator[Problem]:
    """Validate the lifecycle hooks of a container."""
    if not isinstance(one, dict):
        return
    for hook in ("postStart", "preStop"):
        if isinstance(one.get(hook), dict):
            yield from _handler(f"{at}.{hook}", one[hook], _OF_HOOKS, grace)
    signal = one.get("stopSignal")
    if signal is None:
        return
    name = as_map(os).get("name")
    allowed = {"windows": SIGNALS_ON_WINDOWS, "linux": SIGNALS}.get(as_text(name))
    if os is None:
        yield forbidden(f"{at}.stopSignal", "may not be set for containers with empty `spec.os.name`")
    elif allowed and signal not in allowed:
        yield unsupported(f"{at}.stopSignal", signal, allowed)


def _handler(at: str, owner: Object, checks: dict[str, _Check], grace: int | None) -> Iterator[Problem]:
    given = [field for field in checks if owner.get(field) is not None]
    for index, field in enumerate(given):
        if index:
            yield forbidden(f"{at}.{field}", "may not specify more than 1 handler type")
        else:
            yield from checks[field](f"{at}.{field}", as_map(owner[field]), grace)
    if not given:
        yield required(at, "must specify a handler type")


def _exec(at: str, one: Object, _: int | None) -> Iterator[Problem]:
    if not one.get("command"):
        yield required(f"{at}.command")


def _http(at: str, one: Object, _: int | None) -> Iterator[Problem]:
    if not one.get("path"):
        yield required(f"{at}.path")
    yield from formats.port(f"{at}.port", one.get("port"))
    if one.get("scheme") not in SCHEMES:
        yield unsupported(f"{at}.scheme", one.get("scheme"), SCHEMES)
    for _index, header in maps(one, "httpHeaders"):
        name = as_text(header.get("name"))
        yield from (invalid(f"{at}.httpHeaders", name, why) for why in formats.header(name))


def _tcp(at: str, one: Object, _: int | None) -> Iterator[Problem]:
    return formats.port(f"{at}.port", one.get("port"))


def _sleep(at: str, one: Object, grace: int | None) -> Iterator[Problem]:
    seconds = as_number(one.get("seconds")) or 0
    if grace is None:
        return
    limit = f"less than terminationGracePeriodSeconds ({grace})"
    if not 0 <= seconds <= grace:
        yield from eras.SLEEP.limit([invalid(at, seconds, f"must be non-negative and {limit}")])
    if not 0 < seconds <= grace:
        why = f"must be greater than 0 and {limit}"
        yield from eras.SLEEP_BEFORE_GATE.limit([invalid(at, seconds, why)])
        hint = "Enable AllowPodLifecycleSleepActionZeroValue feature gate for zero sleep."
        yield from eras.SLEEP_BEFORE.limit([invalid(at, seconds, f"{why}. {hint}")])


if TYPE_CHECKING:
    _Check = Callable[[str, Object, int | None], Iterator[Problem]]
_OF_PROBES: dict[str, _Check] = {"exec": _exec, "httpGet": _http, "tcpSocket": _tcp, "grpc": _tcp}
_OF_HOOKS: dict[str, _Check] = {"exec": _exec, "httpGet": _http, "tcpSocket": _tcp, "sleep": _sleep}
