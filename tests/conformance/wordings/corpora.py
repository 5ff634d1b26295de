"""The recorded responses of other tests: functions that repeat a request, with the recorded texts."""

from __future__ import annotations

import asyncio
import json
from contextlib import closing, suppress
from functools import partial
from hashlib import blake2b
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TESTS = Path(__file__).parents[2]
Asked = tuple["Callable[[], Any]", str]
"""A function that repeats the request, and the recorded text."""


def kinds() -> Iterator[Asked]:
    """Mutated objects of every kind, with the responses of a real API server."""
    from ..kinds.judge import ours
    from ..kinds.record import recorded

    for case in recorded():
        yield partial(ours, case), str(case.get("said", ""))


def validation() -> Iterator[Asked]:
    """Objects that the strategies of k8s.io/kubernetes judged."""
    from tests.kubemerge.apiserver.validation.test_validation import RECORDED, said_of

    for case in RECORDED["cases"]:
        yield partial(said_of, case["object"], case["before"]), case["refused"]


def wire() -> Iterator[Asked]:
    """Exchanges over HTTP."""
    from tests.kubemerge.apiserver.http.wire.exchanges import AREAS, exchanges, recorded
    from tests.kubemerge.apiserver.http.wire.test_answers import answered

    for area in AREAS:
        rows = recorded(area)
        for one in exchanges(area):
            yield partial(_run, answered, one), _texts(_decoded(rows[one.name]["answers"]))


def _run(answered: Callable[[Any], Any], one: Any) -> Any:
    return asyncio.run(answered(one))


def _decoded(answers: list[Any]) -> list[Any]:
    found = []
    for _, headers, body in answers:
        try:
            found.append([headers, json.loads(body)])
        except ValueError:
            found.append([headers, body])
    return found


def _texts(value: Any) -> str:
    if isinstance(value, dict):
        value = [*value, *value.values()]
    return "\n".join(map(_texts, value)) if isinstance(value, list) else str(value)


def custom() -> Iterator[Asked]:
    """Custom resources and their definitions."""
    from ..custom.__main__ import ours_to
    from ..custom.cases import recorded
    from ..custom.judge import EmbeddedServer

    def ask(entry: dict[str, Any]) -> None:
        with closing(EmbeddedServer()) as ours:
            ours.define(entry["definition"])
            state: dict[str, Any] = {}
            for case in entry["cases"]:
                ours_to(ours, case, state)

    for entry in recorded():
        yield partial(ask, entry), _texts([entry["defined"], [case["said"] for case in entry["cases"]]])


def expressions() -> Iterator[Asked]:
    """Rules of CEL and definitions, judged by the code of kube-apiserver."""
    from ..custom.expressions import ours
    from ..custom.expressions.cases import recorded

    for one in recorded():
        if "said" in one:
            yield partial(ours.said, one), _texts(one["said"])
        else:
            yield partial(ours.problems, one["definition"]), _texts(one["problems"])


def _played(one: Any) -> Any:
    from tests.apiserver.ours import Kubemerge
    from tests.apiserver.play import played

    return played(one, Kubemerge())


def scenarios() -> Iterator[Asked]:
    """Command lines of kubectl."""
    from tests.apiserver.scenarios import areas, recorded
    from tests.apiserver.scenarios import scenarios as of_area

    for area in areas():
        rows = recorded(area)
        for one in of_area(area):
            yield partial(_played, one), _texts(rows[one.name]["steps"])


def policies() -> Iterator[Asked]:
    """Requests with admission policies."""
    from ..policies.replay import answers_in, answers_of_ours, recorded
    from ..policies.scenarios import areas
    from ..policies.scenarios import scenarios as of_area

    for area in areas():
        known = recorded(area)
        for one in of_area(area):
            yield partial(answers_of_ours, one), _texts(answers_in(known[one["name"]]))


def releases() -> Iterator[Asked]:
    """Objects that servers of older releases reject or warn about."""
    from ..releases.cases import every
    from ..releases.judge import ours
    from ..releases.record import recorded

    for release, answers in recorded().items():
        for case in every():
            found = answers.get(case.name, {})
            text = _texts([found.get("said", ""), found.get("warnings", [])])
            if text.strip():
                yield partial(ours, case, release), text


def rules() -> Iterator[Asked]:
    """Expressions in definitions of older releases."""
    from kubemerge.apiserver.errors import ClusterError
    from kubemerge.cluster import open_cluster

    from ..releases.expressions import definition, recorded

    def ask(rule: str, release: str) -> None:
        with open_cluster(":memory:", release=release) as cluster, suppress(ClusterError):
            cluster.create(definition(rule), dry_run=True)

    for release, answers in recorded().items():
        for rule, message in answers.items():
            if message:
                yield partial(ask, rule, release), message


def quotas() -> Iterator[Asked]:
    """Requests in namespaces with quotas."""
    from ..quotas.replay import ours, recorded

    for one in recorded():
        yield partial(ours, one["namespace"], one["requests"]), _texts(one["answers"])


def webhooks() -> Iterator[Asked]:
    """Requests with admission and conversion webhooks."""
    from ..policies.replay import answers_in
    from ..webhooks.replay import answers_of_ours, recorded
    from ..webhooks.scenarios import areas
    from ..webhooks.scenarios import scenarios as of_area
    from ..webhooks.stub import Stub

    with closing(Stub()) as stub:
        for area in areas():
            known = recorded(area)
            for one in of_area(area):
                yield partial(answers_of_ours, one, stub), _texts(answers_in(known[one["name"]]))


def audit() -> Iterator[Asked]:
    """Audit events."""
    from ..audit.replay import ours, recorded, scenario

    def ask() -> None:
        with TemporaryDirectory() as folder:
            ours(Path(folder) / "audit.log", scenario())

    yield ask, _texts(recorded())


BORROWED = Path(__file__).parent / "recorded" / "borrowed.json"
"""The required responses of other tests, by corpus, each by its digest: new ones may be recorded before it."""


def borrowed() -> Iterator[Asked]:
    """The responses of other tests that are needed. Their own tests compare them."""
    chosen: dict[str, list[str]] = json.loads(BORROWED.read_text(encoding="utf-8"))
    for name, digests in chosen.items():
        gone = {*digests}
        for one in CORPORA[name]():  # one at a time, because a corpus may run a server for its requests
            mark = digest(one[1])
            if mark in digests:
                gone.discard(mark)
                yield one
        if gone:
            raise LookupError(f"{name}: responses are gone: {', '.join(gone)}")


def digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=6).hexdigest()


CORPORA = {
    "kinds": kinds,
    "validation": validation,
    "wire": wire,
    "custom": custom,
    "expressions": expressions,
    "scenarios": scenarios,
    "policies": policies,
    "releases": releases,
    "rules": rules,
    "quotas": quotas,
    "webhooks": webhooks,
    "audit": audit,
}
