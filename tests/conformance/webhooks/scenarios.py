"""The scenarios: configurations of webhooks, objects that exist before, and requests.

They are like those of `policies`, and have `hooks`: a list of configurations, each with the name of its kind
(`validating: NAME` or `mutating: NAME`) and `webhooks`. A webhook has a name, an `answer` or `answers` (see `stub`),
`at` (a port of the webhook server), `prefix` and `suffix` of its path, `of` (its resources; `configmaps` if it is
missing) or `rules`, and more fields. A CustomResourceDefinition in `setup` may have `convert`: one answer of its
webhook for all objects, or a list. With a list, an object for each answer is created and read.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...conftest import read_yaml
from ..policies.scenarios import complete as complete_policies
from ..recordings import areas_of

if TYPE_CHECKING:
    from collections.abc import Iterator

FOLDER = Path(__file__).parent / "scenarios"
API = "admissionregistration.k8s.io/v1"
KINDS = {"validating": "ValidatingWebhookConfiguration", "mutating": "MutatingWebhookConfiguration"}
OWN = ("answer", "answers", "at", "of", "operations", "config", "prefix", "suffix")
Object = dict[str, Any]


@cache
def areas() -> list[str]:
    return areas_of(FOLDER)


def scenarios(area: str) -> list[Object]:
    """The scenarios of an area, with complete requests."""
    found: list[Object] = read_yaml(FOLDER / f"{area}.yaml")
    return [_complete(one) for one in found]


def _complete(scenario: Object) -> Object:
    found = complete_policies({"setup": [], **scenario})
    requests = [_with_manager(one) for one in (*_numbered(found["setup"]), *found["requests"])]
    return {**found, "hooks": scenario.get("hooks") or [], "requests": requests}


WIDGETS = "namespaces/default/widgets"


def _numbered(setup: list[Object]) -> Iterator[Object]:
    """For each of several answers of a conversion webhook: an object that names it, and a read in the other version."""
    for definition in setup:
        answers = definition.get("convert")
        for number, _ in enumerate(answers if isinstance(answers, list) else ()):
            metadata = {"name": f"w{number}", "namespace": "default", "annotations": {"answer": str(number)}}
            body = {"apiVersion": "example.com/v1", "kind": "Widget", "metadata": metadata, "spec": {"size": 1}}
            yield {"method": "POST", "path": f"/apis/example.com/v1/{WIDGETS}", "body": body, "kind": ""}
            path = f"/apis/example.com/v2/{WIDGETS}/w{number}"
            yield {"method": "GET", "path": path, "body": None, "kind": ""}


def _with_manager(request: Object) -> Object:
    path = request["path"]
    if request["method"] not in ("POST", "PUT", "PATCH") or "fieldManager" in path:
        return request
    return {**request, "path": f"{path}{'&' if '?' in path else '?'}fieldManager=test"}


def answers_of(scenario: Object) -> dict[str, list[Object]]:
    """The answers of the webhook server, by path."""
    found = {}
    for configuration in scenario["hooks"]:
        for one in configuration["webhooks"]:
            found[_path(configuration, one)] = one.get("answers") or [one.get("answer") or {}]
    for one in scenario["setup"]:
        if "convert" in one:
            given = one["convert"]
            found[f"/convert/{one['metadata']['name']}"] = given if isinstance(given, list) else [given]
    return found


def _path(configuration: Object, hook: Object) -> str:
    kind = next(kind for kind in KINDS if kind in configuration)
    return f"/{kind}/{configuration[kind]}/{hook['name']}"


def setup_of(scenario: Object, stub: Any) -> list[Object]:
    """The objects of a setup, with the addresses of a webhook server. Its configurations come last."""
    made = []
    for one in scenario["setup"]:
        content = {name: value for name, value in one.items() if name not in ("convert", "at", "versions")}
        if "convert" in one:
            config = stub.config(f"/convert/{one['metadata']['name']}", one.get("at", "good"))
            webhook = {"conversionReviewVersions": one.get("versions", ["v1"]), "clientConfig": config}
            conversion = {"strategy": "Webhook", "webhook": webhook}
            content = {**content, "spec": {**content["spec"], "conversion": conversion}}
        made.append(content)
    return made


def configurations_of(scenario: Object, stub: Any) -> list[Object]:
    """The configurations of a scenario."""
    made = []
    for configuration in scenario["hooks"]:
        kind = next(kind for kind in KINDS if kind in configuration)
        hooks = [_hook(one, _path(configuration, one), stub) for one in configuration["webhooks"]]
        made.append(
            {"apiVersion": API, "kind": KINDS[kind], "metadata": {"name": configuration[kind]}, "webhooks": hooks}
        )
    return made


def _hook(one: Object, path: str, stub: Any) -> Object:
    rule = {
        "operations": one.get("operations", ["CREATE", "UPDATE", "DELETE"]),
        "apiGroups": ["*"],
        "apiVersions": ["*"],
        "resources": one.get("of", "configmaps").split(),
    }
    path = one.get("prefix", "") + path + one.get("suffix", "")
    config = stub.config(path, one.get("at", "good")) | one.get("config", {})
    if "service" in config:
        port = stub.ports[one.get("at", "good")]
        config = {
            "caBundle": config["caBundle"],
            "service": {"name": "hooks", "namespace": "default", "port": port, "path": path, **config["service"]},
        }
    found = {
        "rules": [rule],
        "clientConfig": {name: value for name, value in config.items() if value is not None},
        "sideEffects": "None",
        "admissionReviewVersions": ["v1"],
    }
    return found | {name: value for name, value in one.items() if name not in OWN}
