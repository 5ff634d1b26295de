"""The objects of one plugin in a folder, with the checks of kube-apiserver."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..creation import new_object
from ..decoding import type_errors, unknown_fields
from ..errors import Invalid
from ..plugins.context import AdmissionContext
from ..plugins.policy_params import GROUP, STATIC
from ..policies.source import MUTATING, VALIDATING
from ..problems import aggregate_text
from ..resources import Kinds
from ..system_fields import ORIGINS
from ..text.go_text import quoted
from ..unchecked import as_map, as_text, maps
from .documents import InvalidManifests, check_type, documents

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..protocol import Object

API = f"{GROUP}/v1"
PLUGINS: dict[str, tuple[str, ...]] = {
    VALIDATING: (VALIDATING, f"{VALIDATING}Binding"),
    MUTATING: (MUTATING, f"{MUTATING}Binding"),
    "ValidatingAdmissionWebhook": ("ValidatingWebhookConfiguration",),
    "MutatingAdmissionWebhook": ("MutatingWebhookConfiguration",),
}
"""The kinds of each admission plugin, which has a folder of its own."""
META = ("List", "Status")
VERSIONS = ("v1", "v1beta1", "v1alpha1")
"""The versions with Go types. Webhooks have no alpha version."""


def load_folder(folder: str, plugin: str, release: str) -> tuple[str, list[Object]]:
    """Return the plugin of a folder, and its objects by name. Raise InvalidManifests.

    Without a plugin, it is that of the first object, or empty for an empty folder.
    """
    loader = _Loader(plugin, release)
    for one in documents(folder):
        try:
            loader.add(one.content, one.file, one.strict)
        except _Unsuitable as error:
            raise InvalidManifests(f"error loading {one.file}: {error.why}", advice=error.advice) from None
    loader.check_references()
    return loader.plugin, loader.objects()


class _Unsuitable(Exception):
    """An object that cannot be a static manifest."""

    def __init__(self, why: str, advice: str = "") -> None:
        super().__init__(why)
        self.why, self.advice = why, advice


class _Loader:
    def __init__(self, plugin: str, release: str) -> None:
        self.plugin = plugin
        self._kinds = Kinds(release, tuple)
        self._files: dict[tuple[str, str], str] = {}
        self._found: list[Object] = []

    def objects(self) -> list[Object]:
        return sorted(self._found, key=lambda one: one["metadata"]["name"])

    def add(self, content: Object, file: str, strict: list[str]) -> None:
        """Add an object, or those of a list."""
        api_version, kind = content["apiVersion"], content["kind"]
        if (api_version, kind) == ("v1", "List"):
            for _, item in maps(content, "items"):
                check_type(item, str(item), file)
                try:
                    self._check_known(item)
                except _Unsuitable as error:
                    raise _Unsuitable(f"failed to decode list item: {error.why}") from None
                self.add(item, file, strict)
            return
        self._check_known(content)
        one = kind.removesuffix("List")
        self.plugin = self.plugin or next((plugin for plugin, kinds in PLUGINS.items() if one in kinds), "")
        if api_version != API or one not in PLUGINS.get(self.plugin, ()):
            version = as_text(api_version).rpartition("/")[2]
            hint = f"this folder is for v1 objects of {self.plugin}, and every plugin has its own"
            raise _Unsuitable(f"unsupported resource type *{version}.{kind}", hint if self.plugin else "")
        items = [content] if one == kind else [item for _, item in maps(content, "items")]
        for item in items:
            self._accept({**item, "apiVersion": API, "kind": one}, file, strict)

    def _check_known(self, content: Object) -> None:
        """Reject a kind that the scheme of the server does not have."""
        api_version, kind = content["apiVersion"], content["kind"]
        group, _, version = as_text(api_version).rpartition("/")
        one = as_text(kind).removesuffix("List")
        versions = VERSIONS if "Policy" in one else VERSIONS[:2]
        is_known = group == GROUP and version in versions and any(one in kinds for kinds in PLUGINS.values())
        if not is_known and not (api_version == "v1" and kind in META):
            why = f'no kind "{kind}" is registered for version "{api_version}" in scheme "pkg/runtime/scheme.go:111"'
            raise _Unsuitable(why)

    def _check_form(self, content: Object, strict: list[str]) -> None:
        """Reject wrong types and unknown fields."""
        resource = self._kinds.resource(content["apiVersion"], content["kind"])
        why, _ = type_errors.unreadable(content, resource, self._kinds)
        if why:
            raise _Unsuitable(why)
        unknown = unknown_fields.unknown_fields(content, resource, self._kinds)
        errors = [*strict, *map(unknown_fields.unknown_field_error, unknown)]
        if errors:
            raise _Unsuitable(f"strict decoding error: {', '.join(errors)}")

    def _accept(self, content: Object, file: str, strict: list[str]) -> None:
        kind = content["kind"]
        self._check_form(content, strict)
        content = {**content, "metadata": as_map(content.get("metadata"))}
        name = as_text(content["metadata"].get("name"))
        try:
            stored = self._stored(content)
        except Invalid as error:
            raise _Unsuitable(f"{kind} {quoted(name)}: {aggregate_text(error.problems)}") from None
        self._check_name(kind, name, file)
        for why in _constraints(kind, name, stored, file):
            raise _Unsuitable(why)
        self._found.append(stored)

    def _stored(self, content: Object) -> Object:
        """The object with defaults. Raise Invalid."""
        resource = self._kinds.resource(content["apiVersion"], content["kind"])
        context = AdmissionContext(
            lambda *_: iter(()), self._kinds.minor, None, ORIGINS.now, lambda _: None, is_complete=False
        )
        return new_object(content, resource, self._kinds, ORIGINS, context)[0]

    def _check_name(self, kind: str, name: str, file: str) -> None:
        if not name:
            raise _Unsuitable(f"resource in file {quoted(file)} must have a name")
        if not name.endswith(STATIC):
            raise _Unsuitable(f"{quoted(name)} in file {quoted(file)} must have a name ending with {quoted(STATIC)}")
        seen = self._files.get((kind, name))
        if seen is not None:
            where = f"found in file {quoted(file)} (previously seen in {quoted(seen)})"
            raise _Unsuitable(f"duplicate name {quoted(name)} {where}")
        self._files[kind, name] = file

    def check_references(self) -> None:
        """Reject a binding whose policy is not in the folder."""
        names = {one["metadata"]["name"] for one in self._found if one["kind"] == self.plugin}
        for one in self._found:
            if one["kind"].endswith("Binding") and (wanted := one["spec"]["policyName"]) not in names:
                name = quoted(one["metadata"]["name"])
                why = f"references policy {quoted(wanted)} which does not exist in the manifest directory"
                raise InvalidManifests(f"binding {name} {why}")


def _constraints(kind: str, name: str, content: Object, file: str) -> Iterator[str]:
    """The reasons why a valid object cannot be static."""
    spec: Any = as_map(content.get("spec"))
    if kind.endswith("Policy") and spec.get("paramKind") is not None:
        yield f"{kind} {quoted(name)}: spec.paramKind is not supported for static manifests"
    elif kind.endswith("Binding"):
        wanted = as_text(spec.get("policyName"))
        if not wanted.endswith(STATIC):
            yield f"binding {quoted(name)}: spec.policyName {quoted(wanted)} must end with {quoted(STATIC)}"
        if spec.get("paramRef") is not None:
            yield f"binding {quoted(name)}: spec.paramRef is not supported for static manifests"
    for _, hook in maps(content, "webhooks"):
        if as_map(hook.get("clientConfig")).get("service") is not None:
            where = f"webhook {quoted(as_text(hook.get('name')))} in {quoted(name)} (file {quoted(file)})"
            why = "is not supported for static manifests; use clientConfig.url instead"
            yield f"{where}: clientConfig.service {why}"
