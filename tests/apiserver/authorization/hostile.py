"""Hostile requests: odd paths, repeated headers and parameters, bodies of other objects, subresources, tokens.

Only the decision about each request is compared. A different error for a rejected request does no harm.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .cases import GROUP, POD, RBAC, TEAM, Step, binding, path_of, role, rule, urls

if TYPE_CHECKING:
    from collections.abc import Iterator

CONFIGS = f"{TEAM}/configmaps"
MERGE = (("Content-Type", "application/merge-patch+json"),)
APPLY = (("Content-Type", "application/apply-patch+yaml"),)
POLICIES = "/apis/admissionregistration.k8s.io/v1"


CREDENTIAL = "authentication.kubernetes.io/credential-id"
UNAUTHORIZED, FORBIDDEN = 401, 403


def decision(code: int, body: Any) -> Any:
    """The decision about a request: the user of a review, the message of a denial, or a word."""
    if code < 300:
        status = body.get("status") if isinstance(body, dict) else None
        user = status.get("userInfo") if isinstance(status, dict) else None
        if user is None:
            return "allowed"
        extra = {key: one for key, one in user.get("extra", {}).items() if key != CREDENTIAL}
        return [user["username"].removeprefix("kubernetes-"), user.get("groups", []), extra]
    if code == UNAUTHORIZED:
        return "unauthorized"
    causes = body["details"].get("causes", []) if isinstance(body, dict) and "details" in body else []
    if code == FORBIDDEN or any("permission" in one["message"] for one in causes):
        return body["message"]
    return "rejected"


def config(name: str, **metadata: Any) -> dict[str, Any]:
    """A ConfigMap."""
    return {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, **metadata}, "data": {"a": "b"}}


OBJECTS = (
    role("one-config", rule("get list watch", "core", "configmaps", "cfg")),
    binding("nick", "ClusterRole/one-config", "User/nick"),
    role("all-here", rule("*", "*", "*"), namespace="team"),
    binding("owner", "Role/all-here", "User/owner", "User/jürgen", namespace="team"),
    role("parts", rule("*", "*", "*/status */scale */eviction */binding */ephemeralcontainers */resize */token */foo")),
    binding("parts", "ClusterRole/parts", "User/parts"),
    role("writes", rule("create update patch", "core", "configmaps pods"), namespace="team"),
    binding("writer", "Role/writes", "User/writer", namespace="team"),
    role("patches", rule("patch update", "core", "configmaps pods"), namespace="team"),
    binding("patcher", "Role/patches", "User/patcher", namespace="team"),
    role("deletes", rule("delete", "core", "configmaps"), namespace="team"),
    binding("deleter", "Role/deletes", "User/deleter", namespace="team"),
    role("cleans", rule("deletecollection", "core", "configmaps"), namespace="team"),
    binding("cleaner", "Role/cleans", "User/cleaner", namespace="team"),
    role("tokens", rule("create", "core", "serviceaccounts/token", "robot"), namespace="team"),
    binding("tokens", "Role/tokens", "User/tokens", namespace="team"),
    role("writes-policies", rule("*", "admissionregistration.k8s.io", "*")),
    binding("policies", "ClusterRole/writes-policies", "User/pol"),
    role("acts", rule("impersonate", "core", "users", "nick")),
    binding("acts", "ClusterRole/acts", "ServiceAccount/robot/team"),
    role("logs", urls("get", "/logs/*")),
    binding("logs", "ClusterRole/logs", "User/nick"),
    role("all-watches", rule("watch", "core", "configmaps"), namespace="team"),
    binding("watcher", "Role/all-watches", "User/watcher", namespace="team"),
)
ACCOUNTS = ("robot", "admin")


def steps() -> Iterator[Step]:
    """All requests in order."""
    for namespace in ("team", "other"):
        yield Step("POST", "/api/v1/namespaces", {"metadata": {"name": namespace}}, whole=False)
    for name in ACCOUNTS:
        yield Step("POST", f"{TEAM}/serviceaccounts", {"metadata": {"name": name}}, whole=False)
    for content in OBJECTS:
        yield Step("POST", path_of(content), content, whole=False)
    for name in ("cfg", "secret-name"):
        yield Step("POST", CONFIGS, config(name), whole=False)
    yield Step("POST", f"{TEAM}/pods", POD, whole=False)
    yield Step("POST", f"{TEAM}/secrets", {"metadata": {"name": "s"}}, whole=False)
    yield from paths()
    yield from parameters()
    yield from headers()
    yield from bodies()
    yield from subresources()
    yield from collections()
    yield from policies()
    yield from tokens()


def paths() -> Iterator[Step]:
    """Paths that a server may read in two ways."""
    odd = (
        "//api/v1/namespaces/team/configmaps/cfg",
        "/api//v1/namespaces/team/configmaps/cfg",
        "/api/v1//namespaces/team/configmaps/cfg",
        "/api/v1/namespaces//team/configmaps/cfg",
        "/api/v1/namespaces/team//configmaps/cfg",
        "/api/v1/namespaces/team/configmaps//",
        "/api/v1/namespaces/team/configmaps//cfg",
        "/api/v1/namespaces/team/configmaps/cfg/",
        "/api/v1/namespaces/team/configmaps/cfg//",
        "/api/v1/namespaces/team/configmaps/",
        "/api/v1/namespaces/team/configmaps%2fcfg",
        "/api/v1/namespaces/team%2fconfigmaps/cfg",
        "/api%2fv1/namespaces/team/configmaps/cfg",
        "/%61pi/v1/namespaces/team/configmaps/cfg",
        "/api/v1/namespaces/team/../team/configmaps/cfg",
        "/api/v1/namespaces/other/../team/configmaps/secret-name",
        "/api/v1/namespaces/team/configmaps/../secrets/s",
        "/api/v1/namespaces/team/configmaps/cfg/../secret-name",
        "/api/v1/namespaces/team/configmaps/%2e%2e/secrets/s",
        "/api/v1/namespaces/team/./configmaps/cfg",
        "/logs/../api/v1/namespaces/team/configmaps/cfg",
        "/logs/..%2fapi/v1/namespaces/team/configmaps/cfg",
        "/API/v1/namespaces/team/configmaps/cfg",
        "/api/V1/namespaces/team/configmaps/cfg",
        "/api/v1/Namespaces/team/configmaps/cfg",
        "/api/v1/namespaces/team/ConfigMaps/cfg",
        "/api/v1/namespaces/team/configmap/cfg",
        "/api/v1/namespaces/team/configmaps/CFG",
        "/api/v1/namespaces/team/configmaps/cfg%00",
        "/api/v1/namespaces/team/configmaps/cfg%20",
        "/api/v1/namespaces/team/configmaps/cfg%0a",
        "/api/v1/namespaces/team/configmaps/cfg;x=1",
        "/api/v1/configmaps/cfg",
        "/api/v1/namespaces/team/namespaces/other",
        "/api/v1/namespaces/team/nodes",
        "/api/v1/namespaces/team/nodes/n",
        "/api/v1/namespaces/team/status/x",
        "/api/v1/namespaces/team/status/x/y",
        "/api/v1/namespaces/team/finalize",
        "/api/v1/namespaces/status",
        "/api/v1/proxy/namespaces/team/configmaps/cfg",
        "/api/v1/proxy/configmaps",
        "/api/v1/watch/watch/namespaces/team/configmaps/cfg",
        "/api/v1/namespaces/team/watch/configmaps",
        "/apis//v1/namespaces/team/configmaps/cfg",
        "/apis/v1/namespaces/team/configmaps/cfg",
        "/apis/core/v1/namespaces/team/configmaps/cfg",
        "/api/apps/v1/namespaces/team/deployments",
        "/apis/apps/v1beta1/namespaces/team/deployments",
        f"/apis/{GROUP}/v1/namespaces/team/clusterroles/view",
        f"/apis/{GROUP}/v1/roles/all-here",
        "/api/v1/namespaces/team/configmaps/cfg/status",
        "/api/v1/namespaces/team/configmaps/cfg/foo",
        "/api/v1/namespaces/team/pods/p/foo",
        "/api/v1/namespaces/team/pods/p/status/deeper",
        "/api/v1/namespaces/team/pods/p/status/",
        "/healthz/../api/v1/namespaces",
        "/version/",
        "//version",
        "/metrics/foo",
        "*",
    )
    for path in odd:
        for user in ("nick", "owner", ""):
            yield Step("GET", path, whole=False).by(user)
    watches = "/api/v1/watch/namespaces/team/configmaps"
    for method in ("POST", "PUT", "PATCH", "DELETE"):
        for path in (watches, f"{watches}/cfg", "/api/v1/proxy/namespaces/team/configmaps/cfg"):
            for user in ("watcher", "owner", ""):
                yield Step(method, path, config("cfg"), whole=False).by(user)
    for method in ("OPTIONS", "get", "POST", "FOO", "TRACE"):
        for path in (f"{CONFIGS}/cfg", CONFIGS):
            yield Step(method, path, whole=False).by("owner")


def parameters() -> Iterator[Step]:
    """Field selectors that allow a list of one object, and parameters that stand twice."""
    queries = (
        "fieldSelector=metadata.name%3Dcfg",
        "fieldSelector=metadata.name%3D%3Dcfg",
        "fieldSelector=metadata.name!%3Dcfg",
        "fieldSelector=metadata.name%3Dcfg&fieldSelector=metadata.name!%3Dx",
        "fieldSelector=metadata.name!%3Dx&fieldSelector=metadata.name%3Dcfg",
        "fieldSelector=&fieldSelector=metadata.name%3Dcfg",
        "fieldSelector=metadata.name!%3Dx,metadata.name%3Dcfg",
        "fieldSelector=metadata.namespace!%3Dx%5C,metadata.name%3Dcfg",
        "fieldSelector=metadata.name!%3Dx%5C,metadata.name%3Dcfg",
        "fieldSelector=metadata.name%3Dcfg%5C,metadata.name!%3Dx",
        "fieldSelector=metadata.name%3Dsecret-name,metadata.name%3Dcfg",
        "fieldSelector=metadata.name%3Dcfg,metadata.name%3Dsecret-name",
        "fieldSelector=metadata.name%3Dcfg,metadata.name%3Dcfg",
        "fieldSelector=,metadata.name%3Dcfg",
        "fieldSelector=%20metadata.name%3Dcfg",
        "fieldSelector=metadata.name%3D%20cfg",
        "fieldSelector=metadata.name%3Dcfg%5C",
        "fieldSelector=metadata.name%3Dcf%5C%5Cg",
        "fieldSelector=metadata.name%3Dcfg,foo",
        "fieldSelector=foo%3Dbar,metadata.name%3Dcfg",
        "fieldSelector=metadata.Name%3Dcfg",
        "fieldselector=metadata.name%3Dcfg",
        "fieldSelector=metadata.name%3Dcfg;watch=1",
        "fieldSelector=metadata.name%3Dcfg%3Bwatch=1",
        "fieldSelector=metadata.name%3Dcfg&watch=0",
        "fieldSelector=metadata.name%3Dcfg&watch=false&watch=true",
        "fieldSelector=metadata.name%3Dcfg&continue=x",
        "fieldSelector=metadata.name%3Dcfg&%zz",
        "%66ieldSelector=metadata.name%3Dcfg",
        "fieldSelector=metadata.name%3Dcfg&fieldSelector=",
    )
    for query in queries:
        for user in ("nick", "owner"):
            yield Step("GET", f"{CONFIGS}?{query}", whole=False).by(user)
        yield Step("DELETE", f"{CONFIGS}?{query}&dryRun=All", whole=False).by("nick")
    for flag in ("1", "true", "TRUE", "yes", "", "&watch=false", "0x", "%00"):
        # `patcher` may do neither, and the verb of the message is the one that is authorized.
        yield Step("GET", f"{CONFIGS}?watch={flag}", whole=False).by("patcher")
        yield Step("GET", f"{CONFIGS}?watch={flag}&limit=x", whole=False).by("patcher")
        yield Step("GET", f"{CONFIGS}/cfg?watch={flag}", whole=False).by("patcher")
    twice = ("dryRun=All&dryRun=None", "dryRun=&dryRun=All", "dryRun=all", "dryRun=", "dryRun=All&dryRun=All")
    for query in twice:
        yield Step("DELETE", f"{CONFIGS}/missing?{query}", whole=False).by("owner")
        yield Step("POST", f"{CONFIGS}?{query}", config("cfg"), whole=False).by("owner")
    yield Step("POST", f"{CONFIGS}?dryRun=All&fieldManager=a&fieldManager=b", config("new")).by("owner")
    yield Step("POST", f"{CONFIGS}?dryRun=All&fieldManager=a%00", config("new"), whole=False).by("owner")
    yield Step("POST", f"{CONFIGS}?dryRun=All&fieldManager=a%ff", config("new"), whole=False).by("owner")


def headers() -> Iterator[Step]:
    """Repeated and malformed headers."""
    whoami = Step("POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", {})
    secret = Step("GET", f"{CONFIGS}/secret-name", whole=False)
    acting: tuple[tuple[tuple[str, str], ...], ...] = (
        (("Impersonate-User", "nick"), ("Impersonate-User", "owner")),
        (("Impersonate-User", ""), ("Impersonate-User", "nick")),
        (("Impersonate-User", "nick,owner"),),
        (("Impersonate-User", " nick "),),
        (("Impersonate-User", "nick\towner"),),
        (("impersonate-USER", "nick"),),
        (("Impersonate-User", "jürgen"),),
        (("Impersonate-User", "nick"), ("Impersonate-Uid", "a"), ("Impersonate-Uid", "b")),
        (("Impersonate-User", "nick"), ("Impersonate-Group", "a,system:masters")),
        (("Impersonate-User", "nick"), ("Impersonate-Group", "a"), ("Impersonate-Group", "a")),
        (("Impersonate-User", "nick"), ("Impersonate-Foo", "a")),
        (("Impersonate-User", "nick"), ("Impersonate-Extra-", "a")),
        (("Impersonate-User", "nick"), ("Impersonate-Extra-A%2Fb", "a")),
        (("Impersonate-User", "nick"), ("Impersonate-Extra-a%zz", "a")),
        (("Impersonate-User", "nick"), ("Impersonate-Extra-a%c3%bc", "a")),
        (("Impersonate-User", "nick"), ("Impersonate-Extra-a%00", "a")),
        (("Impersonate-User", "nick"), ("Impersonate-Extra-a", "ü")),
        (("Impersonate-Extra-a", "b"),),
        (("Impersonate-Foo", "b"),),
        (("Impersonate-User", "system:serviceaccount:team:robot:x"),),
        (("Impersonate-User", "system:serviceaccount::robot"),),
        (("Impersonate-User", "system:serviceaccount:"),),
        (("Impersonate-User", "System:Masters"),),
        (("Impersonate-User", "system:unauthenticated"),),
        (("Impersonate_User", "nick"),),
    )
    for account in ("", "team/robot", "-"):
        for one in acting:
            yield whoami._replace(account=account, headers=one)
            yield secret._replace(account=account, headers=one)
    credentials: tuple[tuple[str, ...], ...] = (
        ("Bearer admin-token",),
        ("bearer admin-token",),
        ("BEARER  admin-token",),
        ("Bearer\tadmin-token",),
        ("Bearer admin-token x",),
        ("Bearer admin-token,",),
        ("Bearer",),
        ("Bearer ",),
        ("admin-token",),
        ("Basic YWRtaW46YWRtaW4=",),
        ("Bearer x", "Bearer admin-token"),
        ("Bearer admin-token", "Bearer x"),
        ("Basic x", "Bearer admin-token"),
        ("Bearer admin-token ",),
        ("Bearer ADMIN-TOKEN",),
        ("Bearer admin-toke",),
        ("Bearer admin-token\xfc",),
        ("Bearer a.b.c",),
        ("Bearer eyJhbGciOiJub25lIn0.eyJpc3MiOiJodHRwczovL2t1YmVybmV0ZXMuZGVmYXVsdC5zdmMifQ.",),
    )
    for values in credentials:
        named = tuple(("Authorization", value) for value in values)
        for path in (TEAM, "/version", "/healthz", "/api"):
            yield Step("GET", path, account="-", headers=named, whole=False)
    for name, value in (("X-Remote-User", "admin"), ("X-Remote-Group", "system:masters"), ("X-Forwarded-For", "::1")):
        yield Step("GET", TEAM, account="-", headers=((name, value),), whole=False)
    override = (("X-HTTP-Method-Override", "DELETE"),)
    yield Step("POST", f"{CONFIGS}/cfg", headers=override, whole=False).by("owner")


def bodies() -> Iterator[Step]:
    """Bodies of other objects than the path names."""
    secret = {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": "s2"}}
    cluster_role = role("grab", rule("*", "*", "*"))
    several = {"apiVersion": "v1", "kind": "ConfigMapList", "items": [config("a")]}
    sent: tuple[Any, ...] = (
        secret,
        cluster_role,
        several,
        {"apiVersion": "v1", "kind": "List", "items": [secret]},
        config("cfg2", namespace="other"),
        config("secret-name"),
        config("cfg", namespace="other"),
        config("../secrets/x"),
        config("a/b"),
        config(".."),
        config("a%2fb"),
        {**config("x"), "apiVersion": "apps/v1"},
        {**config("x"), "kind": "configmap"},
        {**config("x"), "metadata": {"name": ["x"]}},
        {**config("x"), "metadata": None},
        [],
        "text",
        7,
    )
    for user in ("writer", "owner", "patcher"):
        for content in sent:
            yield Step("POST", f"{CONFIGS}?dryRun=All", content, whole=False).by(user)
            yield Step("PUT", f"{CONFIGS}/cfg?dryRun=All", content, whole=False).by(user)
            yield Step("PUT", f"{CONFIGS}/new?dryRun=All", content, whole=False).by(user)
            yield Step("PATCH", f"{CONFIGS}/cfg?dryRun=All", content, headers=MERGE, whole=False).by(user)
            path = f"{CONFIGS}/%s?dryRun=All&fieldManager=m"
            yield Step("PATCH", path % "cfg", content, headers=APPLY, whole=False).by(user)
            yield Step("PATCH", path % "new", content, headers=APPLY, whole=False).by(user)
    marked = {"metadata": {"ownerReferences": [
        {"apiVersion": "v1", "kind": "Secret", "name": "s", "uid": "u", "blockOwnerDeletion": True}
    ]}}  # fmt: skip
    yield Step("PATCH", f"{CONFIGS}/cfg?dryRun=All", marked, headers=MERGE, whole=False).by("patcher")
    final = {"metadata": {"finalizers": ["example.com/a"]}}
    yield Step("PATCH", f"{CONFIGS}/cfg?dryRun=All", final, headers=MERGE, whole=False).by("patcher")


def subresources() -> Iterator[Step]:
    """Users with permissions for subresources only, or for objects only."""
    pod = f"{TEAM}/pods/p"
    eviction = {"apiVersion": "policy/v1", "kind": "Eviction", "metadata": {"name": "p"}}
    bound = {"apiVersion": "v1", "kind": "Binding", "metadata": {"name": "p"}, "target": {"kind": "Node", "name": "n"}}
    status = {"metadata": {"labels": {"a": "b"}}, "spec": {"priority": 7}, "status": {"message": "m"}}
    for user in ("parts", "writer", "patcher", "owner"):
        for method, path, body in (
            ("POST", f"{pod}/eviction?dryRun=All", eviction),
            ("POST", f"{pod}/eviction?dryRun=All", {**eviction, "metadata": {"name": "p", "namespace": "other"}}),
            ("POST", f"{pod}/eviction?dryRun=All", {**eviction, "metadata": {"name": "q"}}),
            ("POST", f"{pod}/eviction?dryRun=All", {**eviction, "metadata": {}}),
            ("POST", f"{pod}/eviction?dryRun=All", bound),
            ("POST", f"{pod}/binding?dryRun=All", bound),
            ("POST", f"{pod}/binding?dryRun=All", {**bound, "metadata": {"name": "p", "namespace": "other"}}),
            ("POST", f"{pod}/binding?dryRun=All", {**bound, "metadata": {"name": "q"}}),
            ("POST", f"{TEAM}/bindings?dryRun=All", {**bound, "metadata": {"name": "missing"}}),
            ("GET", f"{pod}/eviction", None),
            ("GET", f"{pod}/binding", None),
            ("GET", f"{pod}/foo", None),
            ("GET", f"{pod}/ephemeralcontainers", None),
            ("GET", f"{pod}/resize", None),
            ("GET", f"{pod}/status", None),
            ("PATCH", f"{pod}/status?dryRun=All", status),
            ("PATCH", f"{pod}/ephemeralcontainers?dryRun=All", status),
            ("PATCH", f"{pod}/resize?dryRun=All", status),
            ("PATCH", f"{pod}/foo?dryRun=All", status),
            ("PATCH", f"{pod}/eviction?dryRun=All", status),
            ("PATCH", f"{pod}/log?dryRun=All", status),
            ("PATCH", f"{CONFIGS}/cfg/status?dryRun=All", {"data": {"a": "c"}}),
            ("PUT", f"{CONFIGS}/cfg/status?dryRun=All", config("cfg")),
            ("PUT", f"{CONFIGS}/cfg/foo?dryRun=All", config("cfg")),
            ("GET", f"{CONFIGS}/cfg/status", None),
            ("DELETE", f"{pod}/status?dryRun=All", None),
            ("DELETE", f"{CONFIGS}/cfg/status?dryRun=All", None),
            ("PUT", f"{TEAM}/finalize?dryRun=All", {"metadata": {"name": "team"}, "spec": {"finalizers": []}}),
            ("PATCH", f"{TEAM}/finalize?dryRun=All", {"spec": {"finalizers": []}}),
            ("PATCH", f"{TEAM}/status?dryRun=All", {"metadata": {"labels": {"a": "b"}}}),
            ("GET", f"{pod}/exec", None),
            ("GET", f"{pod}/proxy", None),
            ("GET", f"{pod}/proxy/etc/passwd", None),
            ("POST", f"{TEAM}/serviceaccounts/robot/token?dryRun=All", {}),
            ("GET", f"{TEAM}/serviceaccounts/robot/token", None),
            ("PUT", f"{TEAM}/serviceaccounts/robot/token", {}),
        ):
            head = MERGE if method == "PATCH" else ()
            yield Step(method, path, body, headers=head, whole=False).by(user)
    merged = Step("PATCH", f"{pod}/status?dryRun=All", status, headers=MERGE).by("parts")
    yield merged
    for kind in ("subjectaccessreviews", "selfsubjectaccessreviews"):
        path = f"/apis/authorization.k8s.io/v1/namespaces/team/{kind}"
        asked = {"spec": {"user": "owner", "nonResourceAttributes": {"path": "/", "verb": "get"}}}
        yield Step("POST", path, asked, whole=False).by("owner")
        yield Step("GET", path, whole=False).by("owner")
    token = {"spec": {"token": "x"}}
    yield Step("POST", "/apis/authentication.k8s.io/v1/namespaces/team/tokenreviews", token, whole=False).by("owner")
    yield Step("POST", "/apis/authorization.k8s.io/v1/localsubjectaccessreviews", token, whole=False).by("owner")
    yield Step("POST", "/apis/authentication.k8s.io/v1/tokenreviews", token, whole=False).by("owner")
    review = "/apis/authentication.k8s.io/v1/selfsubjectreviews"
    for method in ("GET", "PUT", "DELETE", "PATCH"):
        yield Step(method, review, {}, whole=False).by("owner")
    yield Step("POST", f"{review}/x", {}, whole=False).by("owner")


def collections() -> Iterator[Step]:
    """Deletions of collections."""
    for user in ("deleter", "cleaner", "owner", "nick", "patcher"):
        for path in (f"{CONFIGS}?dryRun=All", f"{CONFIGS}/?dryRun=All", f"{CONFIGS}//?dryRun=All"):
            yield Step("DELETE", path, whole=False).by(user)
        yield Step("DELETE", "/api/v1/configmaps?dryRun=All", whole=False).by(user)
        yield Step("DELETE", f"{CONFIGS}/missing", whole=False).by(user)
        yield Step("DELETE", f"{CONFIGS}/cfg?dryRun=All", {"dryRun": ["All"]}, whole=False).by(user)
    yield Step("DELETE", f"{CONFIGS}?dryRun=All&fieldSelector=metadata.name%3Dcfg").by("cleaner")
    for path in ("/api/v1/namespaces", "/api/v1/nodes", f"{RBAC}/clusterroles"):
        yield Step("DELETE", f"{path}?dryRun=All", whole=False).by("owner")
    yield Step("DELETE", "/api/v1/namespaces?dryRun=All", whole=False)


def policies() -> Iterator[Step]:
    """Policies with params that their author may not read."""
    everything = {"resourceRules": [
        {"apiGroups": [""], "apiVersions": ["v1"], "operations": ["CREATE"], "resources": ["configmaps"]}
    ]}  # fmt: skip
    for kind, api in (("ConfigMap", "v1"), ("Secret", "v1"), ("Missing", "example.com/v1")):
        for mutates in (False, True):
            spec: dict[str, Any] = {"paramKind": {"apiVersion": api, "kind": kind}, "matchConstraints": everything}
            if mutates:
                patch = {"patchType": "JSONPatch", "jsonPatch": {"expression": "[]"}}
                spec |= {"mutations": [patch], "reinvocationPolicy": "Never", "failurePolicy": "Fail"}
            else:
                spec["validations"] = [{"expression": "params.data.size() > 0"}]
            name = "Mutating" if mutates else "Validating"
            plural = f"{name.lower()}admissionpolicies"
            content = {
                "apiVersion": "admissionregistration.k8s.io/v1",
                "kind": f"{name}AdmissionPolicy",
                "metadata": {"name": f"p-{kind.lower()}"},
                "spec": spec,
            }
            for user in ("pol", "owner", "mia"):
                asked = Step("POST", f"{POLICIES}/{plural}?dryRun=All", content)
                yield asked.by(user, *(["system:masters"] if user == "mia" else []))
            yield Step("POST", f"{POLICIES}/{plural}", content, whole=False)
            bound: dict[str, Any] = {
                "apiVersion": "admissionregistration.k8s.io/v1",
                "kind": f"{name}AdmissionPolicyBinding",
                "metadata": {"name": "b"},
                "spec": {
                    "policyName": f"p-{kind.lower()}",
                    "paramRef": {"name": "s", "namespace": "team", "parameterNotFoundAction": "Allow"},
                },
            }
            if not mutates:
                bound["spec"]["validationActions"] = ["Deny"]
            for user in ("pol", "owner"):
                yield Step("POST", f"{POLICIES}/{name.lower()}admissionpolicybindings?dryRun=All", bound).by(user)
            changed = {"spec": {"failurePolicy": "Ignore"}}
            yield Step("PATCH", f"{POLICIES}/{plural}/p-{kind.lower()}?dryRun=All", changed, headers=MERGE).by("pol")
            yield Step("DELETE", f"{POLICIES}/{plural}/p-{kind.lower()}", whole=False)


def tokens() -> Iterator[Step]:
    """Tokens of other ServiceAccounts."""
    accounts = f"{TEAM}/serviceaccounts"
    for user in ("tokens", "nick", "owner"):
        for name in ("robot", "admin", "missing"):
            yield Step("POST", f"{accounts}/{name}/token?dryRun=All", {}, whole=False).by(user)
        body = {"metadata": {"name": "admin"}}
        yield Step("POST", f"{accounts}/robot/token?dryRun=All", body, whole=False).by(user)
        body = {"metadata": {"namespace": "other"}}
        yield Step("POST", f"{accounts}/robot/token?dryRun=All", body, whole=False).by(user)
        bound = {"spec": {"boundObjectRef": {"apiVersion": "v1", "kind": "Pod", "name": "p"}}}
        yield Step("POST", f"{accounts}/robot/token?dryRun=All", bound, whole=False).by(user)
        bound = {"spec": {"boundObjectRef": {"apiVersion": "v1", "kind": "Secret", "name": "missing"}}}
        yield Step("POST", f"{accounts}/robot/token?dryRun=All", bound, whole=False).by(user)
