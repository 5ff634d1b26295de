"""The plan of `helm install`, `helm upgrade` and `helm rollback`, for Helm 3 and 4.

The steps follow Helm's own code (pkg/action and pkg/kube of v3.22.0 and v4.3.1): hooks, adoption, the order of objects,
the kind of patch, deletions, and the point where an error stops it. `DECISIONS.md` lists them.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from engine import MergeError

from ...apiserver.identity import ObjectId
from ...migrate.metadata import HELM, stamped
from ..model import (
    CLIENT_SIDE,
    DELETE,
    DELETED,
    KEPT,
    NONE,
    REFUSED,
    REPLACE,
    SERVER_SIDE,
    SKIPPED,
    UNCHANGED,
    Advice,
    Plan,
    PlannedObject,
)
from .manifests import HookObject, hooks_for_event, hooks_of, is_definition, kind_of, objects_of, split, texts_of
from .release import CLIENT_SIDE as CSA
from .release import SERVER_SIDE as SSA
from .release import releases_in
from .writes import Target, Writer, Writing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from ...manifests.objects import Manifest
    from ...offline.pairs import Inputs
    from ..cluster_view import ClusterView
    from ..tools import PlanOptions
    from .release import Release

    Object = dict[str, Any]

KEEP_ANNOTATION, KEEP = "helm.sh/resource-policy", "keep"
INSTALL, UPGRADE, ROLLBACK = "install", "upgrade", "rollback"
DEFAULT_VERSION = "4"
VERSIONS = ("3", "4")


class HelmError(MergeError):
    """Input that Helm cannot use."""


def plan_helm(objects: Sequence[Inputs], view: ClusterView, options: PlanOptions) -> Plan:
    """The effects of `helm install`, `helm upgrade` (if there is a release) or `helm rollback`."""
    return _Helm(objects, view, options).plan()


def helm_targets(
    objects: Sequence[Inputs], view: ClusterView, options: PlanOptions
) -> list[tuple[Target, Object | None, str]]:
    """The objects as Helm sends them, without hooks. Each has its former config and the method of the write."""
    return _Helm(objects, view, options).targets()


class _Aborted(Exception):
    """Helm stops with this error before it writes an object."""


class _Helm:
    def __init__(self, objects: Sequence[Inputs], view: ClusterView, options: PlanOptions) -> None:
        self._view, self._options = view, options
        self._live_releases = {name for one in objects if one.live and (name := _release_name(one.live.content))}
        self._version = options.tool_version or DEFAULT_VERSION
        self._history = releases_in(options.documents)
        self._last = self._history[-1] if self._history else None
        self._action = ROLLBACK if options.rollback is not None else UPGRADE if self._history else INSTALL
        self._manifests = [one.manifest for one in objects]
        self._on_server = False
        self._check_options()
        self._check_release()
        self.name = self._last.name if self._last else options.release_name or "RELEASE"
        self.namespace = (self._last.namespace if self._last else options.namespace) or "default"
        self._notes = [*self._note_about_installing()]
        self._found: list[PlannedObject] = []
        self._error = ""

    def _check_options(self) -> None:
        options, four = self._options, self._version == "4"
        if self._version not in VERSIONS:
            raise HelmError(f"unknown Helm version {self._version!r}. Use {' or '.join(VERSIONS)}")
        if not four and (options.force_conflicts or options.server_side not in (None, "false")):
            raise HelmError("Helm 3 does not apply server-side. Omit --server-side and --force-conflicts")
        if options.force and options.force_conflicts:
            raise HelmError("Helm rejects --force-replace with --force-conflicts. Omit one of them")
        if self._action == ROLLBACK and not self._history:
            raise HelmError("a rollback needs the releases. Pass their Secrets with --release-secret")

    def _check_release(self) -> None:
        options, last = self._options, self._last
        if last and options.release_name and options.release_name != last.name:
            raise HelmError(
                f"the Secrets are of the release {last.name}, not {options.release_name}. Omit --release-name"
            )
        if last and options.namespace and options.namespace != last.namespace:
            raise HelmError(
                f"the release {last.name} is in the namespace {last.namespace}, not {options.namespace}. "
                "Omit --namespace"
            )
        if self._action == INSTALL and not options.release_name:
            there = [f"Live objects belong to the release {name}. " for name in sorted(self._live_releases)]
            raise HelmError(
                f"Helm stores the release's name in every object. {''.join(there[:1])}"
                "Pass --release-secret FILE for an upgrade, or --release-name NAME for a new release"
            )

    def _note_about_installing(self) -> Iterator[str]:
        name = self._options.release_name
        if self._action == INSTALL and name in self._live_releases:
            yield (
                f"live objects belong to the release {name}, but no Secret of it is known, so this is the plan of "
                "`helm install`. For `helm upgrade`, pass --release-secret FILE"
            )

    # ---- the actions --------------------------------------------------------------------------------------------

    def plan(self) -> Plan:
        """The plan of the action."""
        method = NONE
        try:
            current, target, hooks = self._releases()
            self._on_server = self._server_side(target)
            method = self._method(self._on_server)
            self._run(current, hooks, self._on_server)
        except _Aborted as error:
            self._error = str(error)
        title = f"helm {self._action} (Helm {self._version})"
        return Plan("helm", title, method, tuple(self._found), tuple(self._notes), self._error, tuple(self._advice()))

    def targets(self) -> list[tuple[Target, Object | None, str]]:
        """The objects that Helm sends, each with its former config and the method."""
        try:
            current, target, _ = self._releases()
            method = self._method(self._server_side(target))
            former = [] if current is None else self._built(objects_of(current), old=True)
            targets = [self._with_helm_metadata(one) for one in self._built(self._objects)]
        except _Aborted as error:
            raise HelmError(str(error)) from None
        values = {"release": self.name, "namespace": self.namespace}
        known = {ObjectId.of(one.content): stamped(one.content, HELM, values) for one in former}
        return [(one, known.get(one.id), method) for one in targets]

    def _releases(self) -> tuple[Release | None, Release | None, list[HookObject]]:
        """The current release, the release whose method `--server-side=auto` follows, and the hooks."""
        last = self._last
        if last is None:
            objects, hooks = split(self._manifests)
            self._objects = objects
            return None, None, hooks
        if self._action == ROLLBACK:
            return self._rollback_releases(last)
        self._objects, hooks = split(self._manifests)
        if last.status.startswith("pending-"):
            raise _Aborted("another operation (install/upgrade/rollback) is in progress")
        if last.status == "deployed":
            return last, last, hooks
        deployed = [one for one in self._history if one.status == "deployed"]
        if not deployed and last.status not in ("failed", "superseded"):
            raise _Aborted(f'"{self.name}" has no deployed releases')
        return (deployed[-1] if deployed else last), last, hooks

    def _rollback_releases(self, last: Release) -> tuple[Release, Release, list[HookObject]]:
        wanted = self._options.rollback or last.revision - 1
        target = next((one for one in self._history if one.revision == wanted), None)
        if target is None:
            known = ", ".join(str(one.revision) for one in self._history)
            raise HelmError(
                f"revision {wanted} of {self.name} is missing. Pass its Secret with --release-secret, too. "
                f"Known revisions: {known}"
            )
        self._objects = objects_of(target)
        self._notes.append(
            f"the rollback applies the manifest of revision {wanted} again. "
            "Fields that only other managers set, and definitions in crds/, stay as they are"
        )
        return last, target, hooks_of(target)

    def _server_side(self, target: Release | None) -> bool:
        asked = self._options.server_side
        if self._version == "3":
            return False
        if target is None:
            return asked != "false"
        if asked in ("true", "false"):
            return asked == "true"
        on_server = target.apply_method == SSA
        recorded = {SSA: "server-side", CSA: "client-side"}.get(target.apply_method, "client-side (no method recorded)")
        self._notes.append(
            f"--server-side=auto: revision {target.revision} was applied {recorded}, "
            f"so this {self._action} is {SERVER_SIDE if on_server else CLIENT_SIDE} too"
        )
        return on_server

    def _method(self, on_server: bool) -> str:
        if self._options.force:
            return REPLACE
        return SERVER_SIDE if on_server else CLIENT_SIDE

    def _run(self, current: Release | None, hooks: list[HookObject], on_server: bool) -> None:
        writer = Writer(self._view, self._options, on_server=on_server, takes_over=self._takes_over(current, on_server))
        writer.name, writer.namespace, writer.action = self.name, self.namespace, self._action
        self._writer = writer
        if self._action == INSTALL and not self._install_definitions():
            return
        originals = [] if current is None else [self._target(one) for one in self._built(objects_of(current), old=True)]
        targets = [self._with_helm_metadata(one) for one in self._built(self._objects)]
        adopted = [] if self._action == ROLLBACK else self._adopted(targets, originals)
        originals += adopted
        if not self._hooks(hooks, f"pre-{self._action}"):
            self._skip(targets)
            return
        updates = bool(adopted) or self._action != INSTALL
        if self._options.force and on_server and updates:
            self._fail("invalid operation: cannot use server-side apply and force replace together", targets)
            return
        if self._options.force_conflicts and not on_server and updates:
            why = "invalid client update option(s): forceConflicts enabled when serverSideApply disabled"
            self._fail(why, targets)
            return
        if not (self._update(originals, targets) if updates else self._create(targets)):
            return
        self._hooks(hooks, f"post-{self._action}")

    def _takes_over(self, current: Release | None, on_server: bool) -> bool:
        """Whether Helm hands its client-side fields over before a server-side apply."""
        if not on_server:
            return False
        return self._action != UPGRADE or current is None or current.apply_method != SSA

    # ---- the objects ----------------------------------------------------------------------------------------------

    def _built(self, manifests: Iterable[Manifest], *, old: bool = False) -> list[Manifest]:
        """The manifests in their namespaces. A kind that the cluster does not serve stops Helm."""
        found = []
        for one in manifests:
            if not self._serves(one.content):
                name = one.content["metadata"].get("name", "")
                version, kind = one.key
                which = "" if self._action == INSTALL else "current " if old else "new "
                removed = "; the release contains an API that this cluster does not serve" if old else ""
                raise _Aborted(
                    f"unable to build kubernetes objects from {which}release manifest: resource mapping not found for "
                    f'name: "{name}" namespace: "" from "": no matches for kind "{kind}" in version "{version}"\n'
                    f"ensure CRDs are installed first{removed}"
                )
            found.append(one.with_content(self._view.with_namespace(one.content, self.namespace)))
        return found

    def _serves(self, content: Object) -> bool:
        """Whether the cluster serves a kind. A CRD among the release's own objects does not count."""
        kind = content["apiVersion"].rpartition("/")[0], content["kind"]
        return kind not in self._new_kinds and self._view.serves(content)

    @cached_property
    def _new_kinds(self) -> set[tuple[Any, Any]]:
        """The kinds whose CRDs are among the objects and not in the cluster."""
        new = [one for one in self._objects if is_definition(one.content) and not self._view.inputs(one).live]
        return {kind_of(one.content) for one in new} - {kind_of(one.content) for one in self._options.definitions}

    def _target(self, manifest: Manifest) -> Target:
        return Target(self._view.inputs(manifest), manifest.content)

    def _with_helm_metadata(self, manifest: Manifest) -> Target:
        """The object with the metadata that Helm adds."""
        values = {"release": self.name, "namespace": self.namespace}
        content = stamped(manifest.content, HELM, values)
        return self._target(manifest.with_content(content))

    def _adopted(self, targets: Sequence[Target], originals: Sequence[Target]) -> list[Target]:
        """The live objects that are new in this release. Helm adopts those that carry its metadata."""
        known = {one.key for one in originals}
        found = []
        for one in targets:
            live = self._writer.live(one)
            if one.key in known or live is None:
                continue
            if not self._options.take_ownership:
                missing = _missing_ownership(live, self.name, self.namespace)
                if missing:
                    self._refuse_adoption(one, live, missing, targets)
            found.append(one)
        return found

    def _refuse_adoption(self, one: Target, live: Object, missing: list[str], targets: Sequence[Target]) -> None:
        content = one.content
        metadata = content["metadata"]
        what = f'{content["kind"]} "{metadata.get("name", "")}" in namespace "{metadata.get("namespace", "")}"'
        why = f"{what} exists and cannot be imported into the current release: invalid ownership metadata; "
        text = why + "; ".join(missing)
        advice = Advice("let Helm adopt the object as it is", f"helm {self._action} --take-ownership {self.name} CHART")
        kind = content["kind"].lower()
        name = metadata.get("name", "")
        place = f" -n {metadata['namespace']}" if metadata.get("namespace") else ""
        label = Advice(
            "mark the object as part of this release",
            f"kubectl label {kind} {name}{place} app.kubernetes.io/managed-by=Helm && kubectl annotate {kind} {name}"
            f"{place} meta.helm.sh/release-name={self.name} meta.helm.sh/release-namespace={self.namespace}",
        )
        for other in targets:
            if other is one:
                planned = self._planned(one, self._method(self._on_server), REFUSED, live, problems=(text,))
                self._found.append(replace(planned, advice=(advice, label)))
            else:
                self._found.append(self._planned(other, NONE, SKIPPED, self._writer.live(other)))
        verb = "Unable" if self._version == "3" and self._action == UPGRADE else "unable"
        if self._version == "3" and self._action == INSTALL:
            verb = "Unable"
        with_what = "install" if self._action == INSTALL else "update"
        raise _Aborted(f"{verb} to continue with {with_what}: {text}")

    # ---- the requests -----------------------------------------------------------------------------------------------

    def _install_definitions(self) -> bool:
        """Install the CRDs in the chart's `crds` folder."""
        for one in self._options.definitions:
            target = self._target(one)
            if self._writer.method == CLIENT_SIDE and self._writer.live(target) is not None:
                note = "in crds/ and already there, so Helm leaves it unchanged"
                self._found.append(self._planned(target, NONE, UNCHANGED, self._writer.live(target), notes=(note,)))
                continue
            found = self._writer.create(target, notes=("in crds/",), force=self._options.force_conflicts)
            self._found.append(found)
            if found.action == REFUSED:
                name = one.content["metadata"].get("name", "")
                self._error = f"failed to install CRD {name}: {self._writer.message(found)}"
                return False
        return True

    def _create(self, targets: Sequence[Target]) -> bool:
        """Create all objects. An error does not stop the others."""
        found = [self._writer.create(one) for one in targets]
        self._found += found
        failed = [one for one in found if one.action == REFUSED]
        self._error = "\n".join(self._writer.message(one) for one in failed)
        return not failed

    def _update(self, originals: Sequence[Target], targets: Sequence[Target]) -> bool:
        """Create, patch and delete objects.

        After a failed creation, the remaining objects are skipped. After any failure, nothing is deleted.
        """
        errors: list[str] = []
        stopped = False
        former = {one.id: one for one in reversed(originals)}
        for one in targets:
            live = self._writer.live(one)
            if stopped:
                self._found.append(self._planned(one, NONE, SKIPPED, live))
                continue
            if live is None:
                planned = self._writer.create(one)
                stopped = planned.action == REFUSED
                errors = [f"failed to create resource: {self._writer.message(planned)}"] if stopped else errors
            else:
                original = former.get(one.id)
                planned = self._writer.update(one, live, None if original is None else original.content)
                errors += [self._writer.message(planned)] if planned.action == REFUSED else []
            self._found.append(planned)
        stay = {one.id for one in targets}
        gone = [one for one in originals if one.id not in stay]
        self._found += [*self._delete(gone, failed=bool(errors))]
        self._error = " && ".join(errors)
        return not errors

    def _delete(self, gone: Iterable[Target], *, failed: bool) -> Iterator[PlannedObject]:
        for one in gone:
            live = self._writer.live(one)
            if live is None:
                continue
            if failed:
                note = "not deleted, because the release fails earlier"
                yield self._planned(one, NONE, SKIPPED, live, notes=(note,))
            elif texts_of(live, "annotations").get(KEEP_ANNOTATION) == KEEP:
                note = f"gone from the manifest, but the live annotation {KEEP_ANNOTATION}: {KEEP} keeps it"
                yield self._planned(one, NONE, KEPT, live, notes=(note,))
            else:
                self._writer.forget(one)
                notes = ["gone from the manifest"]
                finalizers = live["metadata"].get("finalizers")
                if finalizers:
                    notes.append(f"stays until its finalizers are removed: {', '.join(map(str, finalizers))}")
                if one.content["kind"] == "CustomResourceDefinition":
                    notes.append("all objects of this kind are deleted with it")
                yield self._planned(one, DELETE, DELETED, live, notes=tuple(notes))

    def _hooks(self, hooks: Iterable[HookObject], event: str) -> bool:
        """Run the hooks of an event. A hook that cannot be created stops Helm."""
        for hook in hooks_for_event(hooks, event):
            if not self._serves(hook.manifest.content):
                continue
            content = self._view.with_namespace(hook.manifest.content, self.namespace)
            target = self._target(hook.manifest.with_content(content))
            planned = self._writer.hook(target, hook.policies, event)
            self._found.append(planned)
            if planned.action == REFUSED:
                message = self._writer.message(planned)
                if self._options.tool_version == "3":
                    message = f"1 error occurred:\n\t* {message}\n"
                self._error = (
                    f"{event} hooks failed: warning: Hook {event} {target.inputs.manifest.source} failed: {message}"
                )
                return False
        return True

    def _skip(self, targets: Iterable[Target]) -> None:
        self._found += [self._planned(one, NONE, SKIPPED, self._writer.live(one)) for one in targets]

    def _fail(self, why: str, targets: Iterable[Target]) -> None:
        self._error = why
        self._skip(targets)

    def _planned(self, one: Target, method: str, action: str, live: Object | None, **more: Any) -> PlannedObject:
        return Writing(one, self._writer.manager).planned(method, action, live, **more)

    def _advice(self) -> Iterator[Advice]:
        if self._error.startswith("invalid client update option"):
            yield Advice("the release is applied client-side, so conflicts cannot occur. Omit --force-conflicts")
        elif self._error.startswith("invalid operation"):
            yield Advice("use --force-conflicts instead of --force-replace, or pass --server-side=false")


def _release_name(live: Object) -> str:
    """The release that a live object belongs to; empty if it has none."""
    return str(texts_of(live, "annotations").get("meta.helm.sh/release-name") or "")


def _missing_ownership(live: Object, name: str, namespace: str) -> list[str]:
    """The messages about Helm's metadata that a live object lacks."""
    wanted = (
        ("labels", "label", "app.kubernetes.io/managed-by", "Helm"),
        ("annotations", "annotation", "meta.helm.sh/release-name", name),
        ("annotations", "annotation", "meta.helm.sh/release-namespace", namespace),
    )
    found = []
    for field, what, key, value in wanted:
        there = texts_of(live, field).get(key)
        if there is None:
            found.append(f'{what} validation error: missing key "{key}": must be set to "{value}"')
        elif there != value:
            found.append(f'{what} validation error: key "{key}" must equal "{value}": current value is "{there}"')
    return found
