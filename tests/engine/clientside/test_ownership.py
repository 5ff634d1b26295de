"""Each recipe is proven by what the applies after it do."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest

import engine
from engine.clientside.last_applied import read_last_applied
from engine.clientside.ownership import SET_BY_THE_SERVER
from engine.directives import ANNOTATION

from ..any_values import parts

if TYPE_CHECKING:
    from collections.abc import Callable

DEPLOYMENT = engine.load("1.37").schema("apps/v1", "Deployment")
IMAGE = "spec.template.spec.containers[name=web].image"


def config_of(**spec: Any) -> dict[str, Any]:
    containers = [{"name": "web", "image": "web:1", "args": ["run"]}, {"name": "log", "image": "log:1"}]
    return {
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "web", "labels": {"app": "web", "example.com/team": "a"}},
        "spec": {"replicas": 2, "template": {"spec": {"containers": containers}}, **spec},
    }


def live_of(config: dict[str, Any]) -> dict[str, Any]:
    """The object as the first apply leaves it, and as the server completes it."""
    live = engine.apply(config, None, DEPLOYMENT).merged
    live["metadata"] |= {
        "uid": "1",
        "resourceVersion": "7",
        "generation": 1,
        "creationTimestamp": "2026-01-01T00:00:00Z",
    }
    live["metadata"]["managedFields"] = []
    live["spec"] |= {"revisionHistoryLimit": 10}
    live["status"] = {"replicas": 2}
    return live


def again(move: engine.Move, write: Callable[[dict[str, Any]], object] = lambda live: None) -> engine.Outcome:
    """The apply that follows a move, after another writer wrote to the live object."""
    assert move.live is not None
    live = copy.deepcopy(move.live)
    write(live)
    return engine.apply(move.config, live, DEPLOYMENT)


def container(merged: dict[str, Any], name: str = "web") -> dict[str, Any]:
    found: dict[str, Any] = next(one for one in merged["spec"]["template"]["spec"]["containers"] if one["name"] == name)
    return found


def scaled(live: dict[str, Any]) -> None:
    live["spec"]["replicas"] = 5


def rolled(live: dict[str, Any]) -> None:
    container(live)["image"] = "web:9"


def test_a_field_that_was_handed_over_is_left_to_the_other_writer() -> None:
    config = config_of()
    live = live_of(config)
    move = engine.hand_over(config, live, "spec.replicas")
    assert "replicas" not in move.config["spec"]
    assert move.live == engine.json_apply_patch(live, move.patch)
    assert again(move).merged["spec"]["replicas"] == 2
    outcome = again(move, scaled)
    assert outcome.merged["spec"]["replicas"] == 5
    assert engine.apply(move.config, outcome.merged, DEPLOYMENT).result == "unchanged"


def test_without_it_the_field_is_reset_or_cleared() -> None:
    config = config_of()
    live = live_of(config)
    scaled(live)
    assert engine.apply(config, live, DEPLOYMENT).merged["spec"]["replicas"] == 2
    dropped = engine.hand_over(config, live, "spec.replicas").config
    assert "replicas" not in engine.apply(dropped, live, DEPLOYMENT).merged["spec"]


def test_a_field_may_have_been_taken_out_of_config_before() -> None:
    config, live = config_of(), live_of(config_of())
    del config["spec"]["replicas"]
    move = engine.hand_over(config, live, "spec.replicas")
    assert move.config == config
    assert again(move, scaled).merged["spec"]["replicas"] == 5


def test_a_field_of_an_element_is_handed_over_and_the_element_stays() -> None:
    config = config_of()
    move = engine.hand_over(config, live_of(config), IMAGE)
    assert container(move.config) == {"name": "web", "args": ["run"]}
    merged = again(move, rolled).merged
    assert container(merged) == {"name": "web", "image": "web:9", "args": ["run"]}
    assert container(merged, "log")["image"] == "log:1"


def test_a_whole_element_is_handed_over() -> None:
    config = config_of()
    move = engine.hand_over(config, live_of(config), "spec.template.spec.containers[name=log]")
    assert [one["name"] for one in move.config["spec"]["template"]["spec"]["containers"]] == ["web"]
    assert container(again(move).merged, "log") == {"name": "log", "image": "log:1"}


def test_a_label_with_dots_is_quoted_in_the_path() -> None:
    config = config_of()
    move = engine.hand_over(config, live_of(config), 'metadata.labels["example.com/team"]')
    assert move.config["metadata"]["labels"] == {"app": "web"}
    outcome = again(move, lambda live: live["metadata"]["labels"].update({"example.com/team": "b"}))
    assert outcome.merged["metadata"]["labels"] == {"app": "web", "example.com/team": "b"}


@pytest.mark.parametrize("last", [None, {}])
def test_what_was_never_applied_needs_no_patch_to_be_handed_over(last: Any) -> None:
    config, live = config_of(), live_of(config_of())
    live["metadata"]["annotations"] = {} if last is None else {ANNOTATION: "{}"}
    move = engine.hand_over(config, live, "spec.replicas")
    assert (move.patch, move.live) == ({}, live)
    assert again(move, scaled).merged["spec"]["replicas"] == 5


def test_a_field_that_was_taken_over_is_the_config_s() -> None:
    config, live = config_of(), live_of(config_of())
    live["spec"]["minReadySeconds"] = 30
    move = engine.take_over(config, live, "spec.minReadySeconds")
    assert move.config["spec"]["minReadySeconds"] == 30
    taken = again(move).merged
    assert read_last_applied(taken) == {**move.config, "metadata": {**move.config["metadata"], "annotations": {}}}
    taken["spec"]["minReadySeconds"] = 1
    assert engine.apply(move.config, taken, DEPLOYMENT).merged["spec"]["minReadySeconds"] == 30
    assert "minReadySeconds" not in engine.apply(config, taken, DEPLOYMENT).merged["spec"], "dropped, it is cleared"


def test_a_whole_element_is_taken_over() -> None:
    config, live = config_of(), live_of(config_of())
    live["spec"]["template"]["spec"]["containers"].insert(0, {"name": "mesh", "image": "mesh:1"})
    move = engine.take_over(config, live, "spec.template.spec.containers[name=mesh]")
    taken = again(move).merged
    assert container(taken, "mesh") == {"name": "mesh", "image": "mesh:1"}
    kept = engine.apply(config, live, DEPLOYMENT).merged
    assert container(engine.apply(config, kept, DEPLOYMENT).merged, "mesh"), "only live had it"
    names = [
        one["name"] for one in engine.apply(config, taken, DEPLOYMENT).merged["spec"]["template"]["spec"]["containers"]
    ]
    assert names == ["web", "log"], "config had it, and dropped it"


def test_what_is_on_the_way_to_a_field_is_made() -> None:
    live = live_of(config_of())
    bare = {"apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "web"}}
    move = engine.take_over(bare, live, IMAGE)
    assert move.config == {
        **bare,
        "spec": {"template": {"spec": {"containers": [{"name": "web", "image": "web:1"}]}}},
    }


def test_handed_over_and_taken_back() -> None:
    config, live = config_of(), live_of(config_of())
    away = engine.hand_over(config, live, "spec.replicas")
    merged = again(away, scaled).merged
    back = engine.take_over(away.config, merged, "spec.replicas")
    assert back.config == config_of(replicas=5)


def test_a_default_that_config_never_had_is_cleared() -> None:
    config, live = config_of(), live_of(config_of())
    assert engine.apply(config, live, DEPLOYMENT).merged["spec"]["revisionHistoryLimit"] == 10
    move = engine.clear(config, "spec.revisionHistoryLimit")
    assert (move.live, move.patch) == (None, {})
    assert "revisionHistoryLimit" not in engine.apply(move.config, live, DEPLOYMENT).merged["spec"]
    assert "revisionHistoryLimit" not in engine.apply(move.config, live, DEPLOYMENT, safe=True).merged["spec"]


def test_a_field_of_an_element_is_cleared() -> None:
    config = config_of()
    container(config).pop("args")
    live = live_of(config)
    container(live)["args"] = ["theirs"]
    assert container(engine.apply(config, live, DEPLOYMENT).merged)["args"] == ["theirs"]
    move = engine.clear(config, "spec.template.spec.containers[name=web].args")
    assert container(engine.apply(move.config, live, DEPLOYMENT).merged) == {"name": "web", "image": "web:1"}


def test_an_object_that_was_created_without_apply_is_adopted() -> None:
    live = live_of(config_of())
    live["metadata"]["annotations"] = {"example.com/by": "hand"}
    move = engine.adopt(live)
    assert "status" not in move.config
    assert not set(SET_BY_THE_SERVER) & set(move.config["metadata"])
    assert move.config["metadata"]["annotations"] == {"example.com/by": "hand"}
    assert move.live == engine.json_apply_patch(live, move.patch)
    assert again(move).result == "unchanged"
    assert again(move).merged == move.live


def test_what_is_taken_out_of_an_adopted_config_is_cleared() -> None:
    live = live_of(config_of())
    del live["metadata"]["annotations"]
    move = engine.adopt(live)
    del move.config["spec"]["revisionHistoryLimit"]
    del container(move.config)["args"]
    merged = again(move).merged
    assert "revisionHistoryLimit" not in merged["spec"]
    assert container(merged) == {"name": "web", "image": "web:1"}
    stays = engine.apply(move.config, live, DEPLOYMENT).merged
    assert stays["spec"]["revisionHistoryLimit"] == 10, "without adoption nothing is known to be cleared"


def test_what_was_applied_before_is_adopted_anew() -> None:
    live = live_of(config_of())
    scaled(live)
    move = engine.adopt(live)
    assert move.config["spec"]["replicas"] == 5
    assert "annotations" not in move.config["metadata"]
    assert again(move).result == "unchanged"


def told() -> dict[str, engine.Move]:
    config, live = config_of(), live_of(config_of())
    bare = copy.deepcopy(live)
    del bare["metadata"]["annotations"]
    return {
        "handed over": engine.hand_over(config, live, "spec.replicas"),
        "handed over, never applied": engine.hand_over(config, bare, "spec.replicas"),
        "taken over": engine.take_over(config, live, "spec.revisionHistoryLimit"),
        "cleared": engine.clear(config, "spec.revisionHistoryLimit"),
        "adopted": engine.adopt(bare),
    }


SAID = {
    "handed over": (
        "spec.replicas is no longer in the config",
        "the last applied config does not have it any more, so the next apply does not change it",
    ),
    "handed over, never applied": (
        "spec.replicas is no longer in the config",
        "the last applied config does not have it, so the next apply does not change it",
    ),
    "taken over": (
        "spec.revisionHistoryLimit is now in the config, with the live value",
        "from the next apply on, the config takes precedence. Stop other writers",
    ),
    "cleared": (
        "spec.revisionHistoryLimit is null in the config, so every apply clears it in the live object",
        "the API server may set its default again. If so, remove the null from the config",
    ),
    "adopted": (
        "the config is a copy of the live object, without metadata.creationTimestamp, metadata.generation, "
        "metadata.managedFields, "
        "metadata.resourceVersion, metadata.uid, status",
        "the last applied config is now the config, so the next apply clears what you remove from it",
    ),
}


@pytest.mark.parametrize("name", SAID)
def test_a_move_says_what_it_did(name: str) -> None:
    move = told()[name]
    assert move.told == SAID[name]
    assert move.explain() == "\n".join(SAID[name])
    assert repr(move).startswith(f"<Move: {SAID[name][0]}")


CONFIG, LIVE = config_of(), live_of(config_of())
WRONG: dict[str, tuple[Callable[[], object], type[Exception], str]] = {
    "handed over twice": (
        lambda: engine.hand_over(CONFIG, LIVE, "spec.paused"),
        engine.BadFieldPath,
        "left to other writers",
    ),
    "an element that is not there": (
        lambda: engine.hand_over(CONFIG, LIVE, "spec.template.spec.containers[name=nobody].image"),
        engine.BadFieldPath,
        "left to other writers",
    ),
    "a position that is not there": (
        lambda: engine.hand_over(CONFIG, LIVE, "spec.template.spec.containers[7].image"),
        engine.BadFieldPath,
        "left to other writers",
    ),
    "taken over from nobody": (
        lambda: engine.take_over(CONFIG, LIVE, "spec.paused"),
        engine.BadFieldPath,
        "the live object has no such field",
    ),
    "a path that ends too early": (
        lambda: engine.hand_over(CONFIG, LIVE, "spec.template.spec.containers[name=web"),
        engine.BadFieldPath,
        "not closed",
    ),
    "two dots": (lambda: engine.clear(CONFIG, "spec..replicas"), engine.BadFieldPath, "field name was expected"),
    "no path": (lambda: engine.clear(CONFIG, ""), engine.BadFieldPath, "start with a field name"),
    "a path of an element": (
        lambda: engine.clear(CONFIG, "[name=x].a"),
        engine.BadFieldPath,
        "start with a field name",
    ),
    "no text": (lambda: engine.clear(CONFIG, None), engine.BadFieldPath, "not a string"),  # type: ignore[arg-type]
    "an element cannot be null": (
        lambda: engine.clear(CONFIG, "spec.template.spec.containers[name=web]"),
        engine.BadFieldPath,
        "cannot be null",
    ),
    "below a number": (
        lambda: engine.clear(CONFIG, "spec.replicas.x"),
        engine.MergeError,
        "spec.replicas.x does not match",
    ),
    "below a list": (
        lambda: engine.clear(CONFIG, "spec.template.spec.containers.image"),
        engine.MergeError,
        "does not match",
    ),
    "an element of a map": (lambda: engine.clear(CONFIG, "spec[name=x].a"), engine.MergeError, "does not match"),
    "a new position": (
        lambda: engine.clear(CONFIG, "spec.template.spec.containers[7].image"),
        engine.MergeError,
        "does not match",
    ),
    "adopted without metadata": (lambda: engine.adopt({"kind": "A"}), engine.NotAnObject, "metadata"),
    "adopted with a text for metadata": (lambda: engine.adopt({"metadata": "x"}), engine.NotAnObject, "metadata"),
    "adopted nothing": (lambda: engine.adopt(None), engine.NotAnObject, "metadata"),  # type: ignore[arg-type]
    "a config that is a list": (
        lambda: engine.clear([], "spec.x"),  # type: ignore[arg-type]
        engine.NotAnObject,
        "config",
    ),
    "an annotation that is no JSON": (
        lambda: engine.hand_over(CONFIG, {"metadata": {"annotations": {ANNOTATION: "{"}}}, "spec.replicas"),
        engine.BadAnnotation,
        "does not hold JSON",
    ),
}


@pytest.mark.parametrize(("move", "error", "said"), WRONG.values(), ids=list(WRONG))
def test_what_cannot_be_moved_is_refused_in_one_sentence(
    move: Callable[[], object], error: type[Exception], said: str
) -> None:
    before = json.dumps([CONFIG, LIVE])
    with pytest.raises(error, match=said) as caught:
        move()
    assert isinstance(caught.value, engine.MergeError)
    assert "\n" not in str(caught.value)
    assert json.dumps([CONFIG, LIVE]) == before


MOVES: dict[str, Callable[[Any, Any], engine.Move]] = {
    "hand_over": lambda config, live: engine.hand_over(config, live, IMAGE),
    "hand_over of an element": lambda config, live: engine.hand_over(
        config, live, "spec.template.spec.containers[name=web]"
    ),
    "take_over": lambda config, live: engine.take_over(config, live, "spec.template.spec.containers[name=web].args"),
    "clear": lambda config, live: engine.clear(config, IMAGE),
    "adopt": lambda config, live: engine.adopt(live),
}


@pytest.mark.parametrize("move", MOVES.values(), ids=list(MOVES))
def test_inputs_stay_as_they_are_and_share_nothing_with_what_comes_out(move: Callable[[Any, Any], engine.Move]) -> None:
    config, live = config_of(), live_of(config_of())
    before = json.dumps([config, live])
    moved = move(config, live)
    assert json.dumps([config, live]) == before
    given = {id(part) for part in [*parts(config), *parts(live)]}
    assert not given & {id(part) for part in [*parts(moved.config), *parts(moved.live), *parts(moved.patch)]}
