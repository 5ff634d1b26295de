"""Words for kinds: every command takes the same spellings."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import engine
from kubemerge.actions.targets import NoSuchResource, kind_called
from kubemerge.apiserver.kinds.names import KindName, names_of, plural
from kubemerge.cli.commands.kinds import _is_meant
from kubemerge.cluster import open_cluster
from kubemerge.kinds.find import NoSuchKind, find, find_all, find_field

if TYPE_CHECKING:
    from collections.abc import Callable

    Key = tuple[str, str]

TABLES = engine.load("1.12")
"""A release that serves Deployments in two groups. One of the groups has three versions."""


def explained(word: str) -> set[Key]:
    found = find(TABLES, word)
    return {(str(found.api_version), str(found.kind))}


def compared(word: str) -> set[Key]:
    return find_all([word], TABLES.kinds())


def listed(word: str) -> set[Key]:
    return {key for key in TABLES.kinds() if _is_meant(key, (word,))}


def got(word: str) -> set[Key]:
    with open_cluster(":memory:", release="1.12") as cluster:
        try:
            found = kind_called(cluster, word)
        except NoSuchResource:
            return set()
    return {(found.api_version, found.kind)}


V1, BETA, OLD, POD = (
    ("apps/v1", "Deployment"),
    ("apps/v1beta1", "Deployment"),
    ("extensions/v1beta1", "Deployment"),
    ("v1", "Pod"),
)
WORDS: dict[str, tuple[Key, Key | None]] = {
    # a kind that is meant, and one that is not
    "deploy": (V1, POD),
    "Deployment": (V1, POD),
    "DEPLOYMENTS": (V1, POD),
    "deployments.apps": (V1, OLD),
    "deploy.apps": (V1, OLD),
    "Deployment.extensions": (OLD, V1),
    "deployments.v1.apps": (V1, BETA),
    "deployments.v1beta1.apps": (BETA, OLD),
    "deployments.v1": (V1, BETA),
    "pods.v1": (POD, V1),
    "pods.v1.": (POD, V1),
    "apps/v1beta1/Deployment": (BETA, V1),
    "apps/v1beta1/deployments": (BETA, OLD),
    "v1/po": (POD, V1),
}


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("command", [explained, compared, listed, got])
def test_a_word_means_the_same_to_every_command(command: Callable[[str], set[Key]], word: str) -> None:
    if command is got and "/" in word:
        return  # TYPE/NAME is an object there
    wanted, other = WORDS[word]
    found = command(word)
    assert wanted in found
    assert other not in found


@pytest.mark.parametrize("word", ["", ".", "/", "apps/v1/", "deployments.batch", "deployments.v2.apps", "apps/v1/Pod"])
def test_what_means_no_kind(word: str) -> None:
    assert not got(word)
    assert not any(KindName.read(word).means(api, names_of(kind)) for api, kind in TABLES.kinds())
    for command in (explained, compared):
        if word or command is explained:
            with pytest.raises(NoSuchKind):
                command(word)


PATHS = {
    "deploy.spec.replicas": (V1, "spec.replicas"),
    "deployments.apps": (V1, ""),
    "deployments.extensions.spec": (OLD, "spec"),
    "deployments.v1beta1.apps.spec": (BETA, "spec"),
    "apps/v1beta1/Deployment.metadata.annotations[a.b/c]": (BETA, "metadata.annotations[a.b/c]"),
    "pods.metadata.annotations.example.com/a": (POD, "metadata.annotations.example.com/a"),
    "pod.Spec": (POD, "Spec"),
}


@pytest.mark.parametrize("text", PATHS)
def test_the_path_of_a_field_may_follow(text: str) -> None:
    schema, path = find_field(TABLES, text)
    assert ((schema.api_version, schema.kind), path) == PATHS[text]


def test_a_kind_of_another_release_is_known_by_its_group_too() -> None:
    with pytest.raises(NoSuchKind, match=r"extensions/v1beta1.*served in 1\.7 to 1\.\d+"):
        find(engine.load("1.37"), "deployments.extensions")


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("Gateway", "gateways"),
        ("Policy", "policies"),
        ("Ingress", "ingresses"),
        ("Box", "boxes"),
        ("Match", "matches"),
        ("Endpoints", "endpoints"),
        ("Key", "keys"),
    ],
)
def test_plural_of_a_kind(kind: str, expected: str) -> None:
    assert plural(kind) == expected


def test_names_of_a_kind_are_in_lower_case() -> None:
    assert names_of("Deployment") == {"deployment", "deployments", "deploy"}
    assert names_of("Gateway") == {"gateway", "gateways"}
