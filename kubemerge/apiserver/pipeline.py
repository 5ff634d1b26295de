"""The result of one write to an API server of a release: the object that it stores, or the reasons for a rejection.

An in-memory server handles the write as a dry run, with the decoding, defaulting, admission plugins, validation and
managedFields of every other request. It keeps the given objects and undoes everything else.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from functools import cache, cached_property, partial
from typing import TYPE_CHECKING, Any, NamedTuple

import engine
from engine.clientside.apply import READ
from engine.values.guard import COMPILED, require_depth
from engine.values.plain import same

from .creation import new_object, with_name_and_namespace
from .decoding import type_errors, unknown_fields
from .decoding.decoder import decode_and_check, decode_object
from .decoding.type_mismatch import Doubtful
from .eras import minor_of
from .errors import ClusterError, Invalid, NoMatch
from .identity import ObjectId, Reference
from .managed_fields import as_reset_request
from .metadata import check_types, copy_as_json, with_field
from .plugins.context import AdmissionContext
from .policies.decisions import Mutated
from .policies.kinds import definitions_among
from .problems import Problem, verbatim
from .protocol import MANAGER
from .releases import patch_release
from .request_options import STRICT
from .resources import Kinds, key_of, kinds_of_definition
from .system_fields import ORIGINS, without_system_fields

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from .creation import Decode
    from .policies.admission import RequestPolicies
    from .policies.offline import OfflinePolicies
    from .prediction import PredictionCluster
    from .protocol import Object, Resource

VERSION = "resourceVersion"


class Stored(NamedTuple):
    """The object that a server stores for a write, without values that only a server can choose."""

    object: Object | None
    """None if the server rejects the write."""
    problems: tuple[Problem, ...] = ()
    """The reasons for the rejection."""
    warnings: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    """Paths of the values that only a server can choose."""
    error: ClusterError | None = None
    unknown: tuple[str, ...] = ()
    """Paths of the fields that the kind does not have, from `check_create`."""
    mutations: tuple[Mutated, ...] = ()
    """The changes by mutating policies, from `check_create`."""


def stored(
    config: Object,
    *,
    release: str | None = None,
    live: Object | None = None,
    namespace: str | None = None,
    manager: str = "kubectl",
    policies: Sequence[Object] = (),
) -> Stored:
    """Return the object that a server of a release stores for an apply of a config to a live object, or for a new
    object.

    An apply sends the patch that `kubectl apply` computes from the live object. Without a live object, the config is
    created. `policies` are admission policies with their bindings, and the objects that they use as params.
    """
    server = Server(release, policies=policies)
    config = copy_as_json(config)
    if namespace and server.has_namespaces(config):
        config["metadata"].setdefault("namespace", namespace)
    if live is None:
        return server.create(config, manager=manager)
    return server.kubectl_apply(config, copy_as_json(live), manager=manager)


@cache
def server_of(release: str) -> Server:
    """Return a server of a release without other objects."""
    return Server(release)


class DamagedLive(engine.MergeError):
    """A live object that no server has stored, because it cannot be decoded."""

    def __init__(self, live: Object, why: str) -> None:
        title = ObjectId.of(live).title
        super().__init__(f"the live object {title} cannot be decoded: {why}. Pass it as an API server returned it")


class Server:
    """A server of one release that handles writes one by one and keeps none.

    `definitions` (CRDs) and `objects` are the other objects of its cluster. Those that the server rejects are left out.
    If `is_complete`, they are all objects of the cluster, so a write that needs another one is rejected. `policies` are
    admission policies, their bindings and params. An object among them that the server rejects is an error.

    With `as_diff`, a result is the response that `kubectl diff` gets. Its patch has the object's resourceVersion as a
    precondition, and old servers add a selfLink to the response, although they do not store it. With `keeps_owners`,
    every result has managedFields, even if the live object lacks them.
    """

    def __init__(
        self,
        release: str | None = None,
        definitions: Iterable[Object] = (),
        objects: Iterable[Object] = (),
        *,
        as_diff: bool = False,
        is_complete: bool = False,
        keeps_owners: bool = False,
        policies: Sequence[Object] = (),
    ) -> None:
        self._keeps_owners = keeps_owners
        self._definitions: Sequence[Object] = (*definitions, *definitions_among(policies))
        self._checked: dict[int, tuple[Object, Stored]] = {}
        self._objects, self._as_diff, self._is_complete = tuple(objects), as_diff, is_complete
        self.kinds = Kinds(patch_release(release), self._stored_definitions)
        self.release = self.kinds.release
        self._policies: OfflinePolicies | None = None
        if policies:
            from .policies.offline import OfflinePolicies, admitted

            given = admitted(policies, lambda one: self.check_create(copy_as_json(one)))
            self._objects = (*self._objects, *given)
            self._policies = OfflinePolicies(self._objects, self.kinds)

    @cached_property
    def _cluster(self) -> PredictionCluster:
        from .prediction import PredictionCluster  # late, because `check_create` does not need it

        return PredictionCluster(self.kinds, self._objects, is_complete=self._is_complete)

    def _stored_definitions(self) -> list[Object]:
        """The definitions as they are stored, without rejected ones."""
        found = []
        definitions, self._definitions = self._definitions, ()  # no definition defines the kind of another one
        for one in definitions:
            with suppress(engine.MergeError, AttributeError, KeyError, TypeError, ValueError):
                given = copy_as_json(one)
                self.require(given["apiVersion"], given["kind"])
                definition = given if "uid" in given["metadata"] else self.check_definition(one).object
                if definition is not None:
                    list(kinds_of_definition(definition, self.release))
                    found.append(definition)
        self._definitions = definitions
        return found

    def require(self, api_version: str, kind: str) -> None:
        """Raise NoMatch if the server does not serve a kind."""
        self.kinds.resource(api_version, kind)

    def has_namespaces(self, content: Object) -> bool:
        """Whether the kind of the object is namespaced. False if the server does not serve the kind."""
        try:
            return self.kinds.resource(content["apiVersion"], content["kind"]).namespaced
        except NoMatch:
            return False

    def schema(self, content: Object) -> engine.Schema:
        """Return the merge rules of the object's kind."""
        return self.kinds.schema(self.kinds.resource(content["apiVersion"], content["kind"]))

    def check_create(
        self, content: Object, *, fields: bool = True, values: bool = True, predicts: bool = True
    ) -> Stored:
        """Return the result of creating an object without a look at other objects of the cluster.

        It takes a third of the time of `create`, because it adds no managedFields, status or allocated values. Without
        `fields`, unknown fields are not reported. Without `values`, values are not validated. Without `predicts`, the
        object of the result keeps the values that only a server can choose.
        """
        if COMPILED:
            require_depth(content)
        created = partial(self._created, fields=fields, values=values, predicts=predicts)
        try:
            resource = self.kinds.resource(content["apiVersion"], content["kind"])
            content = _unversioned(content)
            if resource.built_in and "managedFields" not in content["metadata"]:  # these are not decoded
                with suppress(Doubtful):
                    return created(content, resource, decode_and_check)
            type_errors.check(content, resource, self.kinds)
        except ClusterError as error:
            return _rejected(error, ())
        return created(content, resource, decode_object)

    def _created(
        self, content: Object, resource: Resource, decode: Decode, *, fields: bool, values: bool, predicts: bool
    ) -> Stored:
        """Return the result of creating an object, which `decode` decodes."""
        warnings: list[str] = []
        dropped: Sequence[str] = ()
        try:
            dropped = unknown_fields.unknown_fields(content, resource, self.kinds) if fields else ()
            name = content["metadata"].get("name") or ""
            content = with_name_and_namespace(content, resource, ORIGINS, lambda prefix: f"{prefix}{ORIGINS.suffix()}")
            minor = self.kinds.minor
            policies = self._policies_for(resource, content, name, warnings.append)
            context = AdmissionContext(
                *(_no_objects, minor, None, ORIGINS.now, _no_namespace, warnings.append),
                policies=policies,
                is_complete=False,
            )
            found, _ = new_object(
                *(_with_default_account(content), resource, self.kinds, ORIGINS, context),
                checks=values,
                decode=decode,
            )
            if self.kinds.is_converted(resource):
                found = self.kinds.in_version(self.kinds.hub(found, resource), resource)
        except ClusterError as error:
            return _rejected(error, warnings)._replace(unknown=tuple(dropped))
        left_out: tuple[str, ...] = ()
        if predicts:
            found = _without_default_account(content, found)
            found, left_out = without_system_fields(found, None, content, owners=False)
            found["metadata"].pop("generation", None)  # a generation counts writes
        mutations = () if policies is None else tuple(policies.mutations)
        return Stored(found, (), tuple(warnings), left_out, unknown=tuple(dropped), mutations=mutations)

    def check_definition(self, definition: Object) -> Stored:
        """Return the result of creating one of the server's own definitions, which must not change.

        It is computed once, unless there are policies: they apply only after all of them are known.
        """
        known = self._checked.get(id(definition))
        if known is not None and known[0] is definition:
            return known[1]
        found = self.check_create(copy_as_json(definition))
        if self._policies is None:
            self._checked[id(definition)] = definition, found
        return found

    def _policies_for(
        self, resource: Resource, content: Object, name: str, warn: Callable[[str], None]
    ) -> RequestPolicies | None:
        if self._policies is None:
            return None
        metadata = content["metadata"]
        key = key_of(resource, metadata.get("name", ""), metadata.get("namespace"))
        return self._policies.for_create(resource, key, name, warn)

    def disabled_fields(self, content: Object) -> list[tuple[str, str]]:
        """The fields of an object that the server drops because a feature gate is off, each with the gate."""
        from .registry.feature_gates import disabled_fields

        return disabled_fields(content, self.kinds.minor)

    def read(self, live: Object) -> Object:
        """Return a live object as a server of the release returns it.

        An object from a file may lack default values and the additions of admission plugins. It is then written once,
        without changes, so that the server adds them.
        """
        try:
            with self._decodable(live):
                read = self._cluster.read(live)
        except DamagedLive:
            raise
        except engine.MergeError:  # the write reports it
            return live
        if same(read, live):
            return live
        written = self.patch(read, read, {"metadata": {}}, "merge", manager=MANAGER).object
        if written is None:
            return read
        metadata = written["metadata"]
        for field in ("generation", "managedFields"):  # this write is no request of a user
            metadata = with_field(field, read["metadata"], metadata)
        return {**written, "metadata": metadata}

    def create(self, content: Object, *, manager: str = MANAGER, strict: bool = False) -> Stored:
        """Return the result of creating an object. Its resourceVersion is ignored.

        With `strict`, unknown fields are rejected.
        """

        def send() -> Object:
            checks = STRICT if strict else None
            return self._cluster.create(_unversioned(content), manager=manager, dry_run=True, field_validation=checks)

        return self._handle(None, content, send)

    def patch(
        self,
        live: Object,
        config: Object,
        patch: Any,
        patch_type: str,
        *,
        manager: str,
    ) -> Stored:
        """Return the result of a patch to a live object. The patch was computed from the config."""
        where = Reference.of(config)
        guarded = _with_precondition(patch, live, always=self._as_diff)
        return self._handle(
            live, config, lambda: self._cluster.patch(where, guarded, patch_type, manager=manager, dry_run=True)
        )

    def replace(self, live: Object, content: Object, *, manager: str = MANAGER, strict: bool = False) -> Stored:
        """Return the result of replacing a live object, whatever its resourceVersion.

        With `strict`, unknown fields are rejected.
        """

        def send() -> Object:
            checks = STRICT if strict else None
            version = self._cluster.get(Reference.of(content))["metadata"][VERSION]
            sent = as_reset_request(content, self.kinds.resource(content["apiVersion"], content["kind"]))
            whole = {**sent, "metadata": {**check_types(sent.get("metadata")), VERSION: version}}
            return self._cluster.replace(whole, manager=manager, dry_run=True, field_validation=checks)

        return self._handle(live, content, send)

    def kubectl_apply(self, config: Object, live: Object, *, manager: str, last_applied: Any = READ) -> Stored:
        """Return the result of `kubectl apply` of a config to a live object."""
        outcome = engine.apply(config, live, self.schema(config), last_applied=last_applied)
        if outcome.patch_type == "none":
            return Stored(live)
        return self.patch(live, config, outcome.patch, outcome.patch_type, manager=manager)

    def apply(
        self, live: Object | None, config: Object, *, manager: str, force: bool = False, strict: bool = False
    ) -> Stored:
        """Return the result of a server-side apply. With `strict`, unknown fields are rejected."""
        where = Reference.of(config)
        options: dict[str, Any] = {"force": force, "field_validation": STRICT if strict else None}
        return self._handle(
            live,
            config,
            lambda: self._cluster.patch(where, config, "apply", manager=manager, dry_run=True, **options),
            owners=True,
        )

    def known_problems(self, live: Object) -> tuple[Problem, ...]:
        """The problems for which the server rejects every write to a live object, whatever it changes."""
        return self.patch(live, live, {"metadata": {"labels": {"a": "b"}}}, "merge", manager=MANAGER).problems

    @contextmanager
    def _decodable(self, live: Object | None) -> Iterator[None]:
        """Raise DamagedLive if the work with a live object fails because of values of a wrong type in it.

        The checks of an update trust what a server has stored, but a live object may come from a file. It is only
        decoded after a failure, because that takes as long as decoding the config.
        """
        try:
            yield
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            if live is None or isinstance(error, engine.MergeError):
                raise
            try:
                resource = self.kinds.resource(live["apiVersion"], live["kind"])
                type_errors.check(live, resource, self.kinds)
            except type_errors.Unreadable as damage:
                raise DamagedLive(live, damage.why) from None
            raise

    def _handle(
        self, live: Object | None, content: Object, send: Callable[[], Object], *, owners: bool = False
    ) -> Stored:
        warnings: list[str] = []
        self._cluster.on_warning = warnings.append
        try:
            resource = self.kinds.resource(content["apiVersion"], content["kind"])
            with self._decodable(live), self._cluster.holding(live, resource, content):
                answer = send()
        except ClusterError as error:
            return _rejected(error, warnings)
        with self._decodable(live):
            found, left_out = without_system_fields(answer, live, content, owners=owners or self._keeps_owners)
        if not self._as_diff and "selfLink" not in (live or {}).get("metadata", {}):
            found["metadata"].pop("selfLink", None)
        return Stored(found, (), tuple(warnings), left_out)


def newest_warnings(stored: Stored, release: str) -> tuple[str, ...]:
    """Return the warnings about an accepted object in the words of the newest release, which name later changes.

    `stored` is the result of a server of a release.
    """
    from .registry.strategy import warnings

    if stored.object is None:
        return stored.warnings
    own, newest = (warnings(stored.object, None, minor_of(one)) for one in (release, engine.releases()[-1]))
    return (*newest, *(one for one in stored.warnings if one not in {*own, *newest}))


def problems_of(error: ClusterError) -> tuple[Problem, ...]:
    """The problems for which a server rejects a write. An error that lists none is itself the only problem."""
    problems = error.problems if isinstance(error, Invalid) else ()
    return tuple(problems) or (verbatim(str(error)),)


def _rejected(error: ClusterError, warnings: Sequence[str]) -> Stored:
    return Stored(None, problems_of(error), tuple(warnings), error=error)


def _unversioned(content: Object) -> Object:
    metadata = {field: value for field, value in check_types(content.get("metadata")).items() if field != VERSION}
    return {**content, "metadata": metadata}


def _with_default_account(content: Object) -> Object:
    """Return a Pod with the service account `default`, which most servers add before they validate a Pod."""
    spec = content.get("spec")
    if content["kind"] != "Pod" or not isinstance(spec, dict) or spec.get("serviceAccountName") not in (None, ""):
        return content
    return {**content, "spec": {**spec, "serviceAccountName": "default"}}


def _without_default_account(content: Object, found: Object) -> Object:
    if _with_default_account(content) is content:
        return found
    accounts = ("serviceAccountName", "serviceAccount")
    return {**found, "spec": {field: value for field, value in found["spec"].items() if field not in accounts}}


def _no_objects(_group: str, _kind: str, _namespace: str | None) -> Iterator[Object]:
    return iter(())


def _no_namespace(_name: str) -> Object | None:
    return None


def _with_precondition(patch: Any, live: Object, *, always: bool) -> Any:
    """Return the patch with the object's resourceVersion as a precondition. A config for another resourceVersion is a
    conflict.
    """
    version = live["metadata"].get("resourceVersion")
    if isinstance(patch, list):  # a JSON patch states its own
        return patch
    asked = patch.get("metadata")
    if version is None or (asked is not None and not isinstance(asked, dict)):
        return patch
    if asked and VERSION in asked and not always:
        return patch
    return {**patch, "metadata": {**(asked or {}), "resourceVersion": version}}
