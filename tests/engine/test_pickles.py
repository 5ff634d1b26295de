"""Everything public can be pickled, copied and compared, and works with every kind of process pool."""

from __future__ import annotations

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

import codegen
import engine
from codegen.documents.problems import BadDocument
from engine import failures, version
from engine.linter import RULES
from kubemerge import cluster
from kubemerge.cluster import ClusterError, Reference, Resource, StoreError
from tests.conftest import ROOT, require_package

if TYPE_CHECKING:
    from collections.abc import Iterator

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)
K8S = engine.load("1.31")
READ = codegen.read(ROOT / "examples" / "crds")
BOTH = K8S.overlay(READ)
BACKUP = {
    "apiVersion": "storage.example.com/v1",
    "kind": "Backup",
    "metadata": {"name": "a"},
    "spec": {"schedule": "@daily", "volumes": [{"claim": "data"}]},
}
CONFIG = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"a": "1"}}
LIVE = engine.apply(CONFIG, None, K8S).merged
OUTCOME = engine.apply({**CONFIG, "data": {"a": "2", "b": "x"}}, LIVE, K8S)

VALUES: dict[str, Any] = {
    "tables of a release": K8S,
    "tables of the newest release": engine.load(),
    "tables that were read": READ,
    "tables over others": BOTH,
    "tables over tables over others": BOTH.overlay(READ).overlay(K8S),
    "a schema": K8S.schema("v1", "Pod"),
    "a schema below an overlay": BOTH.schema("v1", "Pod"),
    "a schema of an overlay": BOTH.schema("storage.example.com/v1", "Backup"),
    "a schema of a type": K8S.definition("io.k8s.api.core.v1.Container"),
    "a rule": K8S.schema("v1", "Pod").rule("spec.containers"),
    "an outcome": OUTCOME,
    "an outcome of a creation": engine.apply(CONFIG, None, K8S),
    "an outcome without a change": engine.apply(CONFIG, LIVE, K8S),
    "an outcome without a schema": engine.apply(BACKUP, None, None),
    "an outcome by the keys of a schema": engine.apply(BACKUP, BACKUP, BOTH, lists="schema"),
    "a lossless outcome": engine.apply(CONFIG, LIVE, K8S, safe=True),
    "a change": OUTCOME.changes[0],
    "a conflict": engine.Conflict(("spec", (("port", 1),)), {"a": 1}, None),
    "a finding": engine.lint({**CONFIG, "kind": "Secret"}, K8S)[0],
    "a move": engine.clear(CONFIG, "data.b"),
    "a lint rule": RULES["KM001"],
    "a reference": Reference("v1", "Pod", "a", None),
    "a resource": Resource("apps", "v1", "Deployment", "deployments", True),
}


@pytest.mark.parametrize("name", VALUES)
def test_it_is_equal_after_a_pickle_or_a_copy(name: str) -> None:
    value = VALUES[name]
    again = [pickle.loads(pickle.dumps(value, protocol)) for protocol in PROTOCOLS]
    for other in (*again, copy.copy(value), copy.deepcopy(value)):
        assert other == value
        assert not other != value  # noqa: SIM202 - both are defined
        assert type(other) is type(value)
    if type(value).__hash__ is not None:
        assert {hash(other) for other in again} == {hash(value)}


@pytest.mark.parametrize("name", VALUES)
def test_cloudpickle_as_well(name: str) -> None:
    cloudpickle = require_package("cloudpickle")
    assert cloudpickle.loads(cloudpickle.dumps(VALUES[name])) == VALUES[name]


def test_no_two_of_them_are_equal() -> None:
    for name, value in VALUES.items():
        assert [other for other in VALUES if VALUES[other] == value] in ([name], TWINS.get(name, [name]))


TWINS = {name: ["a schema", "a schema below an overlay"] for name in ("a schema", "a schema below an overlay")}
"""Overlays leave built-in kinds unchanged."""


def test_equal_values() -> None:
    assert K8S.schema("v1", "Pod") == K8S.schema("v1", "Pod")
    assert K8S.schema("v1", "Pod") != engine.load("1.30").schema("v1", "Pod")
    assert K8S.schema("v1", "Pod") != K8S.schema("v1", "Service")
    assert codegen.read(ROOT / "examples" / "crds") == READ
    assert K8S.overlay(READ) == K8S.overlay(codegen.read(ROOT / "examples" / "crds"))
    assert codegen.read(ROOT / "tests" / "data" / "specs" / "crd-v1.yaml") != READ
    assert len({K8S, engine.load("1.31"), BOTH, K8S.overlay(READ)}) == 2
    assert K8S != "1.31"
    assert len({K8S.schema("v1", "Pod"), K8S.schema("v1", "Pod"), BOTH.schema("v1", "Pod")}) == 1


def test_built_in_tables_are_pickled_by_their_name() -> None:
    assert len(pickle.dumps(K8S)) < 300
    assert len(pickle.dumps(K8S.schema("apps/v1", "Deployment"))) < 400
    assert pickle.loads(pickle.dumps(K8S)) is K8S
    assert len(pickle.dumps(BOTH)) - len(pickle.dumps(READ)) < 300


def test_what_was_unpickled_merges_as_before() -> None:
    tables = pickle.loads(pickle.dumps(BOTH))
    assert tables.kinds() == BOTH.kinds()
    assert tables.release == "1.31"
    for api_version, kind in (("storage.example.com/v1", "Backup"), ("v1", "ConfigMap")):
        assert [*tables.schema(api_version, kind).walk()] == [*BOTH.schema(api_version, kind).walk()]
    outcome = pickle.loads(pickle.dumps(OUTCOME))
    assert (outcome.changes, outcome.json_patch()) == (OUTCOME.changes, OUTCOME.json_patch())


def test_pickle_of_a_newer_version_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    own = version.__version__
    for module in ("engine.tables.types", "engine.clientside.outcome"):
        monkeypatch.setattr(f"{module}.__version__", "99.1.0")
    pickles = [pickle.dumps(value) for value in (READ, BOTH.schema("storage.example.com/v1", "Backup"), OUTCOME)]
    monkeypatch.undo()
    for data in pickles:
        with pytest.raises(engine.NewerPickle, match=r"pickled by kubemerge 99\.1\.0, but this is") as caught:
            pickle.loads(data)
        assert (caught.value.version, caught.value.own) == ("99.1.0", own)


def test_a_pickle_of_an_older_version_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.tables.types.__version__", "0.0.9")
    data = pickle.dumps(READ)
    monkeypatch.undo()
    assert pickle.loads(data) == READ


def test_missing_release_has_its_own_error() -> None:
    data = pickle.dumps(K8S, 0).replace(b"I31\n", b"I99\n")
    with pytest.raises(engine.UnknownRelease, match=r"1\.99"):
        pickle.loads(data)


# ---- errors -------------------------------------------------------------------------------------------------------


def owned_by_another() -> object:
    """A field that two managers set."""
    schema = engine.load().schema("v1", "ConfigMap")
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}, "data": {"a": "1"}}
    live = engine.server_side_apply(config, None, schema, manager="one").merged
    with pytest.raises(engine.FieldConflict) as caught:
        engine.server_side_apply({**config, "data": {"a": "2"}}, live, schema, manager="two")
    return caught.value.conflicts[0]


ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "UnknownRelease": ("1.3", ["1.7"]),
    "UnknownKind": ("a/v1", "K"),
    "NoResource": (),
    "CorruptObject": ("/registry/pods/a/b", "why"),
    "WebhookDenial": ("why", 403, "Forbidden", {"kind": "pods"}),
    "UnknownDefinition": ("a",),
    "NewerPickle": ("2.0", "1.0"),
    "BadFieldPath": ("a..b", "why"),
    "DamagedLive": ({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}}, "why"),
    "NotJson": ({1}, "why"),
    "BadText": ("why",),
    "NotASchema": (1,),
    "NotAnObject": ("config", []),
    "SnakeCase": ("config",),
    "WrongKind": ("config", "v1", "Pod", ("v1", "Service")),
    "TooDeep": (300,),
    "UnknownField": ("f", "T"),
    "UnexpectedList": ("f", "T"),
    "BadStrategy": ("f", ["a", "b"]),
    "MissingMergeKey": ("k", {"a": [1]}),
    "BadMergeKey": ([],),
    "MixedElements": (["null"],),
    "UnknownDirective": ("x",),
    "BadDirective": ("$patch", "why"),
    "OrderMismatch": ([1], [2]),
    "UnclearConflict": ([1], [2]),
    "PreconditionFailed": (["kind"], {"kind": 1}),
    "RepeatedElement": ((("name", "a"),), (0, 2)),
    "DirectiveInConfig": ("$patch",),
    "BadAnnotation": ("a", "why"),
    "GeneratedName": ("web-",),
    "ConflictError": ([engine.Conflict(("a",), 1, 2)],),
    "SpecError": ("file.json", "a document"),
    "Unreachable": ("https://a", "why"),
    "Forbidden": ("pods", "a", "why"),
    "NotFound": ("pods", "a"),
    "PolicyRejection": ("why", 422, "Invalid", "pods", "a", ("b",)),
    "AlreadyExists": ("pods", "a"),
    "Conflict": ("pods", "a"),
    "NoMatch": (engine.UnknownKind("a/v1", "K"),),
    "FieldConflict": ([owned_by_another()],),
    "ApplyConflict": (engine.FieldConflict([owned_by_another()]),),  # type: ignore[list-item]
    "WrongType": ([(".spec.replicas", "expected numeric, got &value.valueUnstructured{Value:true}")],),
    "UnsupportedMediaType": ("pods", "json", ["merge"]),
    "Invalid": ("it is", ["a", "b"]),
    "StoreError": ("a.db", "why"),
}


def subclasses(kind: type[Any]) -> Iterator[type[Any]]:
    for one in kind.__subclasses__():
        yield one
        yield from subclasses(one)


PLACES = ("engine.", "codegen.errors", "kubemerge.apiserver.errors")
FOUND = {kind for kind in subclasses(engine.MergeError) if kind.__module__.startswith(PLACES)}
ERRORS = [engine.MergeError, *sorted(FOUND, key=lambda kind: kind.__name__)]


@pytest.mark.parametrize("kind", ERRORS, ids=lambda kind: kind.__name__)
def test_an_error_keeps_its_facts_in_another_process(kind: type[engine.MergeError]) -> None:
    error = kind(*ARGUMENTS.get(kind.__name__, ("why",)))
    error.within((("name", "web"),)).within("containers")
    again: list[engine.MergeError] = [pickle.loads(pickle.dumps(error, protocol)) for protocol in PROTOCOLS]
    again += [copy.copy(error), copy.deepcopy(error)]
    for other in again:
        assert type(other) is kind
        assert (str(other), other.path, other.args) == (str(error), error.path, error.args)
        assert vars(other) == vars(error)
        assert other == error
        assert hash(other) == hash(error)
    assert error != kind(*ARGUMENTS.get(kind.__name__, ("why",)))


def test_a_fact_that_cannot_be_pickled_becomes_its_text() -> None:
    error = engine.NotASchema(lambda: None)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert again.value.startswith("<function")


def test_document_error_keeps_its_facts_in_another_process() -> None:
    error = BadDocument("why")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_all_error_classes_are_covered() -> None:
    assert {ClusterError, StoreError, cluster.NoMatch, codegen.SpecError, failures.MergeError} <= {*ERRORS}


# ---- pools --------------------------------------------------------------------------------------------------------


def merged(config: dict[str, Any], live: dict[str, Any], tables: engine.Tables) -> engine.Outcome:
    return engine.apply(config, live, tables)


def failing(schema: engine.Schema) -> None:
    engine.two_way_patch({"spec": {"x": {"a": 1}}}, {"spec": {"x": {"a": 2}}}, schema)


@pytest.mark.slow
@pytest.mark.parametrize("method", multiprocessing.get_all_start_methods())
def test_a_pool_of_processes(method: str) -> None:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context(method)) as pool:
        outcome = pool.submit(merged, {**CONFIG, "data": {"a": "2", "b": "x"}}, LIVE, BOTH).result(timeout=60)
        assert outcome == OUTCOME
        error = pool.submit(failing, K8S.schema("v1", "Pod")).exception(timeout=60)
        assert isinstance(error, engine.UnknownField)
        assert (error.path, error.field) == ("spec.x", "x")
