"""Requests by many users: objects of the cluster, and requests with their users, paths and bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

GROUP = "rbac.authorization.k8s.io"
RBAC = f"/apis/{GROUP}/v1"
REVIEWS = "/apis/authorization.k8s.io/v1"
VERSION = f"{GROUP}/v1"
TEAM = "/api/v1/namespaces/team"


class Step(NamedTuple):
    """One request."""

    method: str
    path: str
    body: Any = None
    account: str = ""
    """The ServiceAccount whose token the request has, as `team/robot`. `-` for no credentials. Empty for the admin."""
    headers: tuple[tuple[str, str], ...] = ()
    whole: bool = True
    """Whether the whole response is compared. If not, only a 403 is."""

    def by(self, name: str, *groups: str) -> Step:
        """The request of a user."""
        headers = (("Impersonate-User", name), *(("Impersonate-Group", group) for group in groups))
        return self._replace(headers=(*self.headers, *headers) if name else self.headers)


def rule(verbs: str, groups: str, resources: str, names: str = "") -> dict[str, Any]:
    """A rule. Words are separated by spaces, and `core` is the group without a name."""
    split = [one if one != "core" else "" for one in groups.split()]
    named = {"resourceNames": names.split()} if names else {}
    return {"verbs": verbs.split(), "apiGroups": split, "resources": resources.split(), **named}


def urls(verbs: str, paths: str) -> dict[str, Any]:
    """A rule for other paths."""
    return {"verbs": verbs.split(), "nonResourceURLs": paths.split()}


def role(name: str, *rules: dict[str, Any], namespace: str = "", **more: Any) -> dict[str, Any]:
    """A Role, or a ClusterRole without a namespace."""
    at = {"namespace": namespace} if namespace else {}
    metadata = {"name": name, **at, **more.pop("metadata", {})}
    kind = "Role" if namespace else "ClusterRole"
    return {"apiVersion": VERSION, "kind": kind, "metadata": metadata, "rules": list(rules), **more}


def binding(name: str, to: str, *subjects: str, namespace: str = "") -> dict[str, Any]:
    """A binding to `Role/name` or `ClusterRole/name` of subjects as `User/name` or `ServiceAccount/name/namespace`."""
    kind, _, of = to.partition("/")
    found = []
    for one in subjects:
        what, subject, *at = one.split("/")
        group = {} if what == "ServiceAccount" else {"apiGroup": GROUP}
        found.append({"kind": what, **group, "name": subject, **({"namespace": at[0]} if at else {})})
    metadata = {"name": name, **({"namespace": namespace} if namespace else {})}
    ref = {"apiGroup": GROUP, "kind": kind, "name": of}
    kind = "RoleBinding" if namespace else "ClusterRoleBinding"
    return {"apiVersion": VERSION, "kind": kind, "metadata": metadata, "roleRef": ref, "subjects": found}


def path_of(content: dict[str, Any], *, named: bool = False) -> str:
    """The path of a role or binding, or of its collection."""
    namespace = content["metadata"].get("namespace")
    place = f"{RBAC}/namespaces/{namespace}" if namespace else RBAC
    path = f"{place}/{content['kind'].lower()}s"
    return f"{path}/{content['metadata']['name']}" if named else path


MANAGES = rule("get list create update patch delete", GROUP, "clusterroles clusterrolebindings roles rolebindings")
OBJECTS = (
    role("pod-reader", rule("get list watch", "core", "pods pods/log"), namespace="team"),
    binding("alice", "Role/pod-reader", "User/alice", namespace="team"),
    binding("bob", "ClusterRole/view", "User/bob", namespace="team"),
    binding("devs", "ClusterRole/edit", "Group/devs", "Group/leads", namespace="team"),
    role(
        "special",
        rule("get update", "core", "configmaps", "cfg other"),
        rule("list watch", "core", "configmaps", "cfg"),
        rule("get patch", "*", "*/status"),
        rule("*", "apps", "deployments deployments/scale"),
        urls("get", "/logs/* /healthz/ping /custom"),
        urls("*", "/any*"),
    ),
    binding("dave", "ClusterRole/special", "User/dave", "ServiceAccount/robot/team"),
    binding("lost", "ClusterRole/missing", "User/erin"),
    binding("lost", "Role/gone", "User/erin", namespace="team"),
    binding("both-lost", "ClusterRole/missing", "User/fred", namespace="team"),
    binding("root", "ClusterRole/cluster-admin", "User/frank"),
    binding("gina", "ClusterRole/admin", "User/gina", namespace="team"),
    role("manage", MANAGES),
    binding("heidi", "ClusterRole/manage", "User/heidi", "Group/managers"),
    role("escalates", rule("create update patch get escalate", GROUP, "clusterroles roles")),
    binding("ivan", "ClusterRole/escalates", "User/ivan"),
    role("binds", rule("bind", GROUP, "clusterroles roles", "view pod-reader missing")),
    binding("judy", "ClusterRole/binds", "User/judy"),
    binding("judy-too", "ClusterRole/manage", "User/judy"),
    role("part-one", rule("get", "example.com", "ones"), metadata={"labels": {"part-of": "whole", "n": "1"}}),
    role("part-two", rule("get", "example.com", "twos"), metadata={"labels": {"part-of": "whole", "n": "2"}}),
    role(
        "whole",
        aggregationRule={
            "clusterRoleSelectors": [
                {"matchExpressions": [{"key": "part-of", "operator": "In", "values": ["whole", "other"]}]}
            ]
        },
    ),
    binding("kate", "ClusterRole/whole", "User/kate"),
    role(
        "impersonates",
        rule("impersonate", "core", "users groups", "alice bob devs"),
        rule("impersonate", "core", "serviceaccounts", "robot"),
        rule("impersonate", "authentication.k8s.io", "uids", "u-1"),
        rule("impersonate", "authentication.k8s.io", "userextras/scopes userextras/example.com%2fa", "view"),
    ),
    binding("proxy", "ClusterRole/impersonates", "ServiceAccount/proxy/team"),
    role(
        "constrained",
        rule("impersonate:user-info", "authentication.k8s.io", "users", "alice"),
        rule("impersonate-on:user-info:list", "core", "pods"),
        rule("impersonate:arbitrary-node", "authentication.k8s.io", "nodes", "n-1"),
        rule("impersonate-on:arbitrary-node:get", "core", "nodes pods"),
        rule("impersonate:serviceaccount", "authentication.k8s.io", "serviceaccounts", "robot"),
        rule("impersonate-on:serviceaccount:*", "*", "*"),
        rule("impersonate-on:serviceaccount:list", "core", "pods configmaps"),
    ),
    binding("constrained", "ClusterRole/constrained", "ServiceAccount/careful/team"),
)
"""Roles and bindings of the cluster, in the namespace `team`."""
ACCOUNTS = ("robot", "proxy", "careful")

USERS: tuple[tuple[str, ...], ...] = (
    ("alice",),
    ("bob",),
    ("carol", "devs"),
    ("dave",),
    ("erin",),
    ("fred",),
    ("frank",),
    ("gina",),
    ("heidi", "managers"),
    ("kate",),
    ("system:serviceaccount:team:robot",),
    ("system:anonymous",),
    ("mia", "system:masters"),
    ('odd "name" <&>',),
)
POD = {"metadata": {"name": "p"}, "spec": {"containers": [{"name": "c", "image": "i"}]}}
REQUESTS: tuple[tuple[str, str, Any], ...] = (
    ("GET", "/api/v1/pods", None),
    ("GET", "/api/v1/namespaces/default/pods", None),
    ("GET", f"{TEAM}/pods", None),
    ("GET", f"{TEAM}/pods?fieldSelector=metadata.name%3Dp", None),
    ("GET", f"{TEAM}/pods/missing", None),
    ("GET", f"{TEAM}/pods/missing/status", None),
    ("POST", f"{TEAM}/pods?dryRun=All", POD),
    ("PUT", f"{TEAM}/pods/missing", POD),
    ("PATCH", f"{TEAM}/pods/missing", {}),
    ("PATCH", f"{TEAM}/pods/missing/status", {}),
    ("DELETE", f"{TEAM}/pods/missing", None),
    ("DELETE", f"{TEAM}/pods?dryRun=All", None),
    ("GET", f"{TEAM}/configmaps/cfg", None),
    ("GET", f"{TEAM}/configmaps?fieldSelector=metadata.name%3Dcfg", None),
    ("GET", f"{TEAM}/configmaps", None),
    ("GET", f"{TEAM}/secrets", None),
    ("POST", f"{TEAM}/serviceaccounts/robot/token?dryRun=All", {}),
    ("GET", TEAM, None),
    ("GET", "/api/v1/namespaces", None),
    ("GET", f"{TEAM}/status", None),
    ("GET", "/api/v1/nodes/n/status", None),
    ("GET", "/apis/apps/v1/deployments", None),
    ("GET", "/apis/apps/v1/namespaces/team/deployments/missing/scale", None),
    ("GET", "/apis/example.com/v1/ones/a", None),
    ("GET", "/apis/example.com/v1/namespaces/team/twos", None),
    ("GET", f"{RBAC}/clusterroles/view", None),
    ("GET", "/", None),
    ("GET", "/api", None),
    ("GET", "/apis/apps/v1", None),
    ("GET", "/healthz", None),
    ("GET", "/healthz/ping", None),
    ("GET", "/version", None),
    ("GET", "/logs/a", None),
    ("POST", "/anything", None),
    ("GET", "/custom/deeper", None),
)


def steps() -> Iterator[Step]:
    """All requests in order."""
    yield Step("POST", "/api/v1/namespaces", {"metadata": {"name": "team"}}, whole=False)
    for name in ACCOUNTS:
        yield Step("POST", f"{TEAM}/serviceaccounts", {"metadata": {"name": name}}, whole=False)
    for content in OBJECTS:
        yield Step("POST", path_of(content), content)
    yield Step("GET", f"{RBAC}/clusterroles/whole")
    for user in USERS:
        yield from (Step(method, path, body, whole=False).by(*user) for method, path, body in REQUESTS)
    for account in ("team/robot", "-"):
        yield from (Step(method, path, body, account, whole=False) for method, path, body in REQUESTS)
    yield from impersonations()
    yield from reviews()
    yield from escalations()
    yield from aggregations()
    yield from certificates()


# ---- impersonation --------------------------------------------------------------------------------------------------


def impersonations() -> Iterator[Step]:
    """Requests of ServiceAccounts that act as other users."""
    whoami = Step("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {})
    pods = Step("GET", f"{TEAM}/pods", whole=False)
    wanted: tuple[tuple[tuple[str, str], ...], ...] = (
        (("User", "alice"),),
        (("User", "alice"), ("Group", "devs")),
        (("User", "alice"), ("Group", "admins")),
        (("User", "alice"), ("Group", "system:masters")),
        (("User", "carol"),),
        (("User", "alice"), ("Uid", "u-1")),
        (("User", "alice"), ("Uid", "u-2")),
        (("User", "alice"), ("Extra-scopes", "view")),
        (("User", "alice"), ("Extra-scopes", "edit")),
        (("User", "alice"), ("Extra-example.com%2fa", "view")),
        (("User", "bob"), ("Group", "devs"), ("Uid", "u-1"), ("Extra-scopes", "view")),
        (("User", "alice"), ("Group", "devs"), ("Group", "alice"), ("Group", "bob"), ("Group", "other")),
        (("User", "alice"), ("Group", "system:unauthenticated"), ("Group", "devs"), ("Group", "system:authenticated")),
        (("User", "alice"), ("Group", "")),
        (("User", "alice"), ("Extra-example.com%2fa", "view"), ("Extra-example.com%2fa", "edit"), ("Group", "devs")),
        (("User", "alice"), *(("Extra-example.com%2fa", letter) for letter in "abcd")),
        (("User", "alice"), ("Extra-example.com%2fa", "")),
        (("User", "system:serviceaccount:team:robot"),),
        (("User", "system:serviceaccount:team:robot"), ("Group", "devs")),
        (("User", "system:serviceaccount:team:other"),),
        (("User", "system:node:n-1"), ("Group", "devs")),
        (("User", "system:node:n-1"),),
        (("User", "system:node:n-2"),),
        (("User", "system:anonymous"),),
        (("Group", "devs"),),
        (("Uid", "u-1"),),
    )
    for account in ("team/proxy", "team/careful", "team/robot", "-", ""):
        for one in wanted:
            headers = tuple((f"Impersonate-{name}", value) for name, value in one)
            yield pods._replace(account=account, headers=headers)
            yield whoami._replace(account=account, headers=headers)


# ---- reviews --------------------------------------------------------------------------------------------------------


def access(verb: str, group: str, resource: str, **more: str) -> dict[str, Any]:
    """Attributes of a request for a resource."""
    return {"resourceAttributes": {"verb": verb, "group": group, "resource": resource, **more}}


def reviews() -> Iterator[Step]:
    """Reviews of access and of rules."""
    team = {"namespace": "team"}
    asked = (
        access("list", "", "pods", **team),
        access("list", "", "pods"),
        access("get", "", "configmaps", name="cfg", **team),
        access("create", "apps", "deployments", **team),
        access("get", "", "pods", subresource="status", **team),
        access("*", "*", "*"),
        {"nonResourceAttributes": {"verb": "get", "path": "/logs/x"}},
        {"nonResourceAttributes": {"verb": "get", "path": "/api"}},
    )
    for user in USERS:
        for spec in asked if user != ("frank",) else asked[:-1]:  # two bindings allow the last one
            subject = {"user": user[0], "groups": [*user[1:], "system:authenticated"]}
            yield Step("POST", f"{REVIEWS}/subjectaccessreviews", {"spec": {**spec, **subject}})
        yield Step("POST", f"{REVIEWS}/selfsubjectaccessreviews", {"spec": asked[0]}).by(*user)
        yield Step("POST", f"{REVIEWS}/selfsubjectrulesreviews", {"spec": {"namespace": "team"}}).by(*user)
        yield Step("POST", f"{REVIEWS}/subjectaccessreviews", {"spec": {**asked[0], "user": "alice"}}).by(*user)
    local = f"{REVIEWS}/namespaces/team/localsubjectaccessreviews"
    bob = {"user": "bob", "groups": ["devs"], "uid": "u", "extra": {"a": ["b"]}}
    for spec, metadata in (
        (asked[0], team),
        (asked[1], team),
        (asked[6], team),
        (asked[0], {"namespace": "other"}),
    ):
        yield Step("POST", local, {"metadata": metadata, "spec": {**spec, **bob}})
    reviewed: tuple[Any, ...] = (
        {},
        {"user": "a"},
        asked[0],
        {**asked[0], "groups": ["devs"]},
        {**asked[0], "groups": ["leads"]},
        {**asked[0], **asked[6], "user": "a"},
    )
    for spec in reviewed:
        yield Step("POST", f"{REVIEWS}/subjectaccessreviews", {"spec": spec})
    yield Step("POST", f"{REVIEWS}/selfsubjectaccessreviews", {"spec": {}})
    yield Step("POST", f"{REVIEWS}/selfsubjectrulesreviews", {"spec": {}})


# ---- escalation -----------------------------------------------------------------------------------------------------


def escalations() -> Iterator[Step]:
    """Writes of roles and bindings that may grant more than their author holds."""
    pods, team = rule("get list", "core", "pods"), {"namespace": "team"}
    wide = role("wide", rule("*", "*", "*"), urls("*", "*"), **team)
    wide["rules"].pop()
    roles = (
        role("reads", pods, **team),
        role("reads-more", pods, rule("get create", "core apps", "pods secrets", "a b"), **team),
        wide,
        role("reads", pods),
        role("urls", urls("get post", "/logs/a /metrics /healthz")),
        role("all", rule("*", "*", "*"), urls("*", "*")),
        role("names", rule("get", "core", "configmaps", "cfg"), rule("get", "core", "pods/status")),
        role("empty"),
        role("sum", aggregationRule={"clusterRoleSelectors": [{"matchLabels": {"a": "b"}}]}),
        {**role("", pods), "metadata": {"generateName": "made-"}},
        role("wrong", {"verbs": [], "resources": ["x"]}),
    )
    bindings = (
        binding("b-reader", "Role/pod-reader", "User/zoe", **team),
        binding("b-view", "ClusterRole/view", "User/zoe", **team),
        binding("b-view", "ClusterRole/view", "User/zoe"),
        binding("b-root", "ClusterRole/cluster-admin", "User/zoe"),
        binding("b-missing", "ClusterRole/missing", "User/zoe"),
        binding("b-gone", "Role/gone", "User/zoe", **team),
        binding("b-empty", "ClusterRole/empty", "User/zoe"),
    )
    users = (("gina",), ("heidi",), ("ivan",), ("judy",), ("frank",), ("heidi", "devs"), ("erin", "managers"))
    for user in users:
        for content in (*roles, *bindings):
            yield Step("POST", f"{path_of(content)}?dryRun=All", content).by(*user)
    for content in (*roles[:9], *bindings):
        if content["metadata"]["name"] not in ("b-missing", "b-gone"):
            yield Step("POST", path_of(content), content)
    for user in users:
        yield from changes(user, roles[1], bindings[1], roles[8])


def changes(user: tuple[str, ...], held: Any, bound: Any, aggregated: Any) -> Iterator[Step]:
    """Changes by a user to a role, a binding and an aggregated role."""
    merge = (("Content-Type", "application/merge-patch+json"),)
    dry = "?dryRun=All"

    def patch(content: Any, changed: Any) -> Step:
        return Step("PATCH", path_of(content, named=True) + dry, changed, headers=merge).by(*user)

    yield Step("PUT", path_of(held, named=True) + dry, held).by(*user)
    yield patch(held, {"metadata": {"labels": {"a": "b"}}})
    yield patch(held, {"metadata": {"finalizers": ["example.com/a"]}})
    yield patch(held, {"rules": []})
    yield patch(bound, {"subjects": None})
    yield patch(bound, {"metadata": {"ownerReferences": None}})
    yield patch(aggregated, {"rules": []})
    yield patch(aggregated, {"aggregationRule": None})
    new = role("new-by-put", rule("get list", "core", "pods"))
    yield Step("PUT", path_of(new, named=True) + dry, new).by(*user)
    apply = (("Content-Type", "application/apply-patch+yaml"),)
    path = f"{path_of(new, named=True)}{dry}&fieldManager=m"
    yield Step("PATCH", path, new, headers=apply).by(*user)
    config = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "new"}}
    yield Step("PATCH", f"{TEAM}/configmaps/new{dry}&fieldManager=m", config, headers=apply).by(*user)


def aggregations() -> Iterator[Step]:
    """Changes to aggregated roles."""
    merge = (("Content-Type", "application/merge-patch+json"),)
    whole = Step("GET", f"{RBAC}/clusterroles/whole")
    three = role("part-three", rule("list", "example.com", "ones"), metadata={"labels": {"part-of": "other"}})
    yield Step("POST", f"{RBAC}/clusterroles", three)
    yield whole
    yield Step("PATCH", f"{RBAC}/clusterroles/part-one", {"metadata": {"labels": None}}, headers=merge)
    yield whole
    yield Step("DELETE", f"{RBAC}/clusterroles/part-two", whole=False)
    yield Step("DELETE", f"{RBAC}/clusterroles/part-three", whole=False)
    yield whole
    yield Step(
        "POST", f"{RBAC}/clusterroles", role("to-view", metadata={"labels": {f"{GROUP}/aggregate-to-view": "true"}})
    )
    yield Step("PATCH", f"{RBAC}/clusterroles/to-view", {"rules": [rule("get", "example.com", "ones")]}, headers=merge)
    for name in ("view", "edit", "admin"):
        yield Step("GET", f"{RBAC}/clusterroles/{name}")


# ---- certificates ---------------------------------------------------------------------------------------------------

CSR = (
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlJQ2d6Q0NBV3NDQVFBd0ZURVRNQkVHQTFVRUF4TUthM1ZpWlMx"
    "aFpHMXBiakNDQVNJd0RRWUpLb1pJaHZjTgpBUUVCQlFBRGdnRVBBRENDQVFvQ2dnRUJBTlJ5dFhkcWV6ZTFBdXFjZkpWYlFBY1BJ"
    "ejZWY2pXSTZ5WmlQa3lrCjAzUW9GaHJGRXhUQXNPTGVFUHlrQXc1YndUOWZiajRXMzZmR2k4RGxsd1FzVGoyYzVUTnBnQkkwbElD"
    "bzI4aGcKbHYvTDJsMnRsWUVKdDdTbVhjblNvaGJ5S0h4TERRUHVmTVBBTkZsaEFmTUdCWEhRcmZMajhrTk1MUDA4UlBsbAp0N3V4"
    "RDVRdFA0cHlGL1Nhbm1XVEtRNU56WlJ4TC82UmhJMEpxSHJmNFFjQmg2dlR5bnFaRGVmMWVxNjBnQXllClNPRkpKYWRuK3h2VEFq"
    "LzgxZk1TbjdOSlNnaktDYkNEeXQ1eS9UZHd0SzZnVUQzM01paE5uNXhKTVF0MUZXUVAKRzY3eTA1QVh6b0pqTm5sWVA1MnJsTlhv"
    "Nzh6aVMrN1E4RklxQzY0c05vWWhxeGNDQXdFQUFhQXBNQ2NHQ1NxRwpTSWIzRFFFSkRqRWFNQmd3Q1FZRFZSMFRCQUl3QURBTEJn"
    "TlZIUThFQkFNQ0JlQXdEUVlKS29aSWh2Y05BUUVMCkJRQURnZ0VCQU5CazlwaHpWYUJBci9xZHN4bXdPR1NQa094UkZlR1lyemRv"
    "aW5LTzVGUGZER2JkU0VWQ0o1K0wKeWJTNUtmaUZYU1EvNmk0RE9WRWtxcnFrVElIc1JNSlJwbTZ5Zjk1TU4zSWVLak9jQlV2b2VW"
    "VlpxMUNOUU8zagp2dklmK1A1NStLdXpvK0NIT1F5RWlvTlRPaUtGWTJseStEZEEwMXMxbU9FMTZSWGlWeFhGcFhGeGRJVmRPK0ox"
    "ClZ1MW5yWG5ZVFJQRmtyaG80MTlpaDQzNjRPcGZqYXFXVCtmd20ySVZQSlBoaUJpYi9RRzRhUGJJcFh3amlCUUMKemV6WlM2L01n"
    "Qkt1bUdMZ3Z5MitXNU9UWTJ5ZFFMZFVxbERFNEU2MFhmdVZ6bk5zWjZDS0tYY1pVaW1ZTkkwNgpKa0t4bGRjd0V2cmI0SmN3M2RF"
    "QjdOOUwvSW9ZNXFBPQotLS0tLUVORCBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0K"
)
"""A certificate request in PEM, encoded with base64."""


def certificates() -> Iterator[Step]:
    """Approvals and signatures of certificate requests."""
    requests = "/apis/certificates.k8s.io/v1/certificatesigningrequests"
    group = "certificates.k8s.io"
    writes = rule("get update patch", group, "certificatesigningrequests/approval certificatesigningrequests/status")
    signer = "kubernetes.io/kube-apiserver-client"
    for user, verbs, name in (
        ("nora", "", ""),
        ("oscar", "approve", signer),
        ("paul", "sign", signer),
        ("quinn", "approve sign", "kubernetes.io/*"),
        ("rita", "approve sign", "example.com/*"),
    ):
        content = role(f"signer-{user}", writes, *([rule(verbs, group, "signers", name)] if verbs else []))
        yield Step("POST", path_of(content), content)
        bound = binding(f"signer-{user}", f"ClusterRole/signer-{user}", f"User/{user}")
        yield Step("POST", path_of(bound), bound)
    spec = {"request": CSR, "signerName": signer, "usages": ["client auth"]}
    yield Step("POST", requests, {"metadata": {"name": "csr"}, "spec": spec}).by("frank", "system:authenticated")
    condition = {"type": "Approved", "status": "True", "reason": "r", "message": "m"}
    merge = (("Content-Type", "application/merge-patch+json"),)
    for user in ("nora", "oscar", "paul", "quinn", "rita", "frank"):
        for part, status in (
            ("approval", {"conditions": [condition]}),
            ("status", {"conditions": [{**condition, "type": "Failed"}]}),
            ("status", {}),
            ("approval", {}),
        ):
            path = f"{requests}/csr/{part}?dryRun=All"
            yield Step("PATCH", path, {"status": status}, headers=merge, whole=False).by(user)
