"""Messages of older releases, as servers of 1.24, 1.33 and 1.35 return them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from .cases import RBAC, REVIEWS, Step, access, binding, path_of, role, rule
from .clients import Ours

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LOST = binding("lost", "ClusterRole/missing", "User/erin")
MANAGER = role("manager", rule("create", "rbac.authorization.k8s.io", "clusterroles clusterrolebindings"))
MANAGES = binding("manager", "ClusterRole/manager", "User/erin")
UNION = {**access("get", "", "pods"), "nonResourceAttributes": {"path": "/x", "verb": "get"}, "user": "a"}


@pytest.fixture
def server() -> Iterator[Callable[[str], Ours]]:
    made = []

    def start(release: str) -> Ours:
        made.append(Ours(release))
        for content in (LOST, MANAGER, MANAGES):
            made[-1].send(Step("POST", path_of(content), content))
        return made[-1]

    yield start
    for one in made:
        one.close()


def message(server: Ours, step: Step) -> str:
    _, found = server.send(step)
    return str(found["message"])


@pytest.mark.parametrize(("release", "prefix"), [("1.24", ""), ("1.36", ""), ("1.37", "rbac: ")])
def test_the_reason_of_a_denial_names_the_authorizer(release: str, prefix: str, server: Callable[[str], Ours]) -> None:
    found = message(server(release), Step("GET", "/api/v1/nodes").by("erin"))
    assert found.endswith(
        f'at the cluster scope: {prefix}RBAC: clusterrole.rbac.authorization.k8s.io "missing" not found'
    )


@pytest.mark.parametrize(
    ("release", "resource"),
    [("1.31", "clusterroles"), ("1.32", "clusterrolebindings"), ("1.37", "clusterrolebindings")],
)
def test_a_missing_role_is_named_by_the_request_since_1_32(
    release: str, resource: str, server: Callable[[str], Ours]
) -> None:
    bound = binding("new", "ClusterRole/missing", "User/erin")
    found = message(server(release), Step("POST", f"{RBAC}/clusterrolebindings", bound).by("erin"))
    assert found == f'{resource}.rbac.authorization.k8s.io "missing" not found'
    wide = role("new", rule("get", "core", "pods"))
    found = message(server(release), Step("POST", f"{RBAC}/clusterroles", wide).by("erin"))
    known = resource if resource == "clusterroles" else "clusterroles"  # the resource of this request
    assert found.endswith(f'; resolution errors: [{known}.rbac.authorization.k8s.io "missing" not found]')


@pytest.mark.parametrize(
    ("release", "said"),
    [
        ("1.35", "requested [{Group  devs    }] without impersonating a user"),
        (
            "1.36",
            'requested &user.DefaultInfo{Name:"", UID:"", Groups:[]string{"devs"}, Extra:map[string][]string(nil)} '
            "without impersonating a user name",
        ),
    ],
)
def test_groups_without_a_user_are_rejected(release: str, said: str, server: Callable[[str], Ours]) -> None:
    assert message(server(release), Step("GET", "/api", headers=(("Impersonate-Group", "devs"),))) == said


@pytest.mark.parametrize(("release", "groups"), [("1.35", []), ("1.36", ["system:nodes"])])
@pytest.mark.parametrize("mode", ["always-allow", "rbac"])
def test_an_impersonated_node_has_its_group_since_1_36(
    mode: str, release: str, groups: list[str], server: Callable[[str], Ours]
) -> None:
    found = server(release)
    found.cluster.use_authorization(mode)
    _, review = found.send(Step("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {}).by("system:node:n"))
    assert review["status"]["userInfo"]["groups"] == [*groups, "system:authenticated"]


@pytest.mark.parametrize(("release", "metadata"), [("1.33", {"creationTimestamp": None}), ("1.34", {})])
def test_a_review_has_no_creation_time(release: str, metadata: Any, server: Callable[[str], Ours]) -> None:
    step = Step("POST", f"{REVIEWS}/selfsubjectrulesreviews", {"spec": {"namespace": "default"}})
    assert server(release).send(step)[1]["metadata"] == metadata


@pytest.mark.parametrize(
    ("release", "said"),
    [
        (
            "1.33",
            "spec.nonResourceAttributes: Invalid value: "
            'authorization.NonResourceAttributes{Path:"/x", Verb:"get"}: '
            "cannot be specified in combination with resourceAttributes",
        ),
        (
            "1.35",
            'spec.nonResourceAttributes: Invalid value: {"Path":"/x","Verb":"get"}: '
            "cannot be specified in combination with resourceAttributes",
        ),
        (
            "1.37",
            'spec: Invalid value: {"Path":"/x","Verb":"get"}: '
            "exactly one of nonResourceAttributes or resourceAttributes must be specified",
        ),
    ],
)
def test_a_review_has_one_kind_of_attributes(release: str, said: str, server: Callable[[str], Ours]) -> None:
    found = message(server(release), Step("POST", f"{REVIEWS}/subjectaccessreviews", {"spec": UNION}))
    assert found == f'.authorization.k8s.io "" is invalid: {said}'


def test_a_review_that_the_release_lacks_is_not_found(server: Callable[[str], Ours]) -> None:
    assert server("1.24").send(Step("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {}))[0] == 404


def test_groups_without_a_user_are_an_internal_error_until_1_34(server: Callable[[str], Ours]) -> None:
    step = Step("GET", "/api/v1/pods?limit=1", headers=(("Impersonate-Group", "devs"),))
    text = 'Internal Server Error: "/api/v1/pods?limit=1": requested [{Group  devs    }] without impersonating a user\n'
    assert server("1.34").send(step) == (500, text)


@pytest.mark.parametrize(
    ("release", "said"),
    [
        (
            "1.36",
            "[rules[0].verbs: Required value: verbs must contain at least one value, "
            "rules[0].apiGroups: Required value: resource rules must supply at least one api group]",
        ),
        (
            "1.37",
            "[rules[0].apiGroups: Required value: resource rules must supply at least one api group, "
            "rules[0].verbs: Required value]",
        ),
    ],
)
def test_a_rule_has_verbs(release: str, said: str, server: Callable[[str], Ours]) -> None:
    wrong = role("wrong", {"resources": ["pods"]})
    found = message(server(release), Step("POST", f"{RBAC}/clusterroles", wrong))
    assert found == f'ClusterRole.{RBAC.split("/")[2]} "wrong" is invalid: {said}'
