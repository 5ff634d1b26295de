"""A dump of a busy cluster, imported and applied again: fields that are only in live stay."""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest

from engine.clientside.last_applied import read_last_applied
from kubemerge.actions.apply import ApplyOptions, apply
from kubemerge.apiserver.text.yaml_out import dump as as_yaml
from kubemerge.cluster import Reference, open_cluster
from kubemerge.manifests.files import Files
from kubemerge.manifests.objects import read_manifests

from ...codegen.sample_specs import kubemerge
from ..dump import SINCE, dump
from ..objects import ANNOTATION

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from engine import Schema
    from kubemerge.apiserver.cluster import EmbeddedCluster

COUNTED = (("metadata", "resourceVersion"), ("metadata", "generation"))
"""Fields that the cluster itself counts."""

Steps = tuple[Any, ...]


def leaves(value: Any, schema: Schema, at: Steps = ()) -> Iterator[tuple[Steps, Any]]:
    """Every value of an object with its path. In paths, list elements are identified by their merge key."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, schema, (*at, key))
    elif isinstance(value, list) and (key := merge_key(schema, at)):
        for item in value:
            yield from leaves(item, schema, (*at, (key, item[key])))
    else:
        yield at, value


def merge_key(schema: Schema, at: Steps) -> str | None:
    path = [step for step in at if isinstance(step, str)]
    if path[:1] == ["metadata"] or any("." in step or "/" in step for step in path):
        return None
    rule = schema.rule(".".join(path))
    return rule.merge_key if rule else None


def only_in_live(live: dict[str, Any], config: dict[str, Any], schema: Schema) -> dict[Steps, Any]:
    said = dict(leaves(config, schema))
    return {at: value for at, value in leaves(live, schema) if at not in said and at not in COUNTED}


@pytest.fixture
def imported(tmp_path: Path) -> Iterator[EmbeddedCluster]:
    """A cluster with the dump, imported by the command."""
    file = tmp_path / "dump.yaml"
    file.write_text(as_yaml({"apiVersion": "v1", "items": dump(), "kind": "List"}), encoding="utf-8")
    assert kubemerge("cluster", "import", file, "--cluster", tmp_path / "cluster.db", "-q") == 0
    with open_cluster(str(tmp_path / "cluster.db")) as cluster:
        yield cluster


def test_the_dump_is_worth_it() -> None:
    kinds = Counter(one["kind"] for one in dump())
    assert kinds.total() >= 100
    assert len(kinds) >= 15
    assert set(SINCE) <= set(kinds)
    assert sum("status" in one for one in dump()) > 50
    assert sum("managedFields" in one["metadata"] for one in dump()) > 100
    assert sum("istio-proxy" in str(one["spec"]) for one in dump() if "spec" in one) > 20


def as_it_was(config: dict[str, Any]) -> dict[str, Any]:
    return config


def with_another_image(config: dict[str, Any]) -> dict[str, Any]:
    """The config after a release: another image where there is one, another label everywhere."""
    config = deepcopy(config)
    config["metadata"]["labels"]["version"] = "2"
    spec = config.get("spec") or {}
    for container in (spec.get("template") or {}).get("spec", {}).get("containers", ()):
        if config["kind"] != "Job":  # its template cannot be changed
            container["image"] = "registry.example/new:2.0.0"
            container["env"].append({"name": "NEW", "value": "1"})
            container["env"].pop(0)
    return config


@pytest.mark.parametrize("change", [as_it_was, with_another_image])
@pytest.mark.parametrize("safe", [False, True], ids=["exact", "safe"])
def test_nothing_that_only_live_had_is_lost(
    imported: EmbeddedCluster, change: Callable[[dict[str, Any]], dict[str, Any]], safe: bool
) -> None:
    results: Counter[str] = Counter()
    for before in list(imported.dump()):
        last = read_last_applied(before)
        if last is None:
            continue
        schema = imported.schema(before["apiVersion"], before["kind"])
        done = apply(imported, change(last), ApplyOptions(safe=safe))
        results[done.result] += 1
        after = dict(leaves(imported.get(Reference.of(before)), schema))
        kept = only_in_live(before, last, schema)
        lost = {at: value for at, value in kept.items() if at not in after or after[at] != value}
        assert not {at: value for at, value in lost.items() if not of_apply(at)}, before["metadata"]["name"]
    assert results.total() >= 90, results
    if change is with_another_image:
        assert set(results) == {"configured"}
    else:
        assert results["unchanged"] > results["configured"] > 0


def of_apply(at: Steps) -> bool:
    """Whether each write changes this path: the annotation with the config, or managedFields."""
    return bool(at[-1] == ANNOTATION or at[:2] == ("metadata", "managedFields"))


def test_objects_that_nobody_applied_stay_as_they_are(imported: EmbeddedCluster) -> None:
    mine = {one["metadata"]["uid"]: one for one in dump()}
    for one in imported.dump():
        if one["metadata"]["uid"] in mine:
            assert one == mine[one["metadata"]["uid"]]


def test_an_export_is_the_dump_again(
    imported: EmbeddedCluster, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kubemerge("cluster", "export", "--cluster", imported.file) == 0
    file = tmp_path / "again.yaml"
    file.write_text(capsys.readouterr().out, encoding="utf-8")
    again = {one.content["metadata"]["uid"]: one.content for one in read_manifests([str(file)], Files())}
    assert all(again[one["metadata"]["uid"]] == one for one in dump())
