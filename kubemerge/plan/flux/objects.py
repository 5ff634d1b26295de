"""One object in a reconciliation of Flux: the dry run, the cleanup of former managers, and the apply."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.directives import ANNOTATION
from engine.serverside.fields.path_elements import from_steps
from engine.values.plain import ABSENT, same
from engine.values.secrets import data_of

from ...apiserver.errors import MODIFIED, ClusterError
from ...migrate.hand_over import entries_of, with_entries_merged
from ...migrate.tools import TOOLS
from ..fields import Comparison
from ..metadata import texts_of
from ..model import (
    CHANGED,
    CREATED,
    DELETED,
    NONE,
    REFUSED,
    REPLACE,
    SERVER_SIDE,
    SKIPPED,
    UNCHANGED,
    PlannedObject,
    StuckField,
)
from ..pointers import lookup, parts_of
from ..requests import Response
from ..typed import as_typed, with_integers
from ..writing import plan_without_write, planned, untracked_note
from .drift_rules import without_drift
from .settings import GROUP

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.errors import MergeError
    from engine.paths import Steps

    from ...offline.pairs import Inputs
    from ..requests import Requests
    from .drift_rules import Drift
    from .settings import Kustomization

    Object = dict[str, Any]

LIBRARIES = "1.37"
"""The Kubernetes release whose Go types Flux is built with."""
REMOVED_ANNOTATIONS = (ANNOTATION, f"{GROUP}/checksum", "fluxcd.io/sync-checksum")
REMOVED_LABELS = ("fluxcd.io/sync-gc-mark",)
EXCLUDED = {f"{GROUP}/reconcile": "disabled", f"{GROUP}/ssa": "Ignore"}
IF_NOT_PRESENT = {f"{GROUP}/ssa": "IfNotPresent"}
MERGED = {f"{GROUP}/ssa": "Merge"}
FORCED = {f"{GROUP}/force": "enabled"}
_IMMUTABLE = re.compile(r"is\simmutable|immutable\sfield")
_UNTYPED_RBAC = ("Role", "ClusterRole")
"""RBAC kinds that Flux sends unchanged."""
WAITS = "immutable field detected, failed to wait for object to be deleted: context deadline exceeded"
REJECTED_TOO = "and the server rejects the new one too"
NOT_REACHED = "and another object of its stage is rejected, so the new one is not created"
IGNORED = "spec.ignore has this field, so its live value stays"
KEEPING = "to keep these live values, remove the fields from the config, or add their paths to spec.ignore"


def first_marker(content: Object | None, markers: dict[str, str]) -> str:
    """The first of these labels or annotations that the object has, as `KEY=VALUE`; empty if it has none."""
    if content is None:
        return ""
    for key, value in markers.items():
        for field in ("labels", "annotations"):
            found = texts_of(content, field).get(key)
            if isinstance(found, str) and found and found.casefold() == value.casefold():
                return f"{key}={value}"
    return ""


def describe(content: Object) -> str:
    """The object in Flux's notation: `Deployment/apps/web`."""
    metadata = content["metadata"]
    return "/".join(filter(None, (content["kind"], metadata.get("namespace"), metadata.get("name"))))


class FluxObject:
    """One object of the config. `prepare` runs before any object of its stage is applied, and `apply` after it."""

    def __init__(self, inputs: Inputs, requests: Requests, settings: Kustomization, manager: str) -> None:
        self.inputs, self._requests, self._settings, self._manager = inputs, requests, settings, manager
        self.sent = _as_sent(inputs.config, settings)
        self.before = requests.read(inputs.live.content) if inputs.live else None
        self._live = self.before
        self._skipped = ""
        self._recreated = ""
        self._drifts: list[Drift] = []
        self._is_needed = False
        self._response: Response | None = None
        self._refused = self._is_applied = self._is_cleaned = False

    def prepare(self) -> str:
        """Run the dry run and the cleanup. Return the error that stops the stage, or an empty string."""
        self._skipped = self.reason_to_skip()
        if self._skipped:
            return ""
        dry_run = self._dry_run()
        if dry_run is None:
            return self._error_of_dry_run()
        self._is_cleaned, error = self._clean()
        if error:
            return error
        live = None if self._recreated else self._live
        rules = self._settings.rules
        if live is not None:
            one, other = (rules.without_ignored(state, dry_run) for state in (live, dry_run))
            self._is_needed = self._is_cleaned or has_drifted(one, other)
            self._drifts = [*rules.drifts(live, dry_run, self._manager)]
        else:
            self._is_needed = True
        return ""

    def reason_to_skip(self) -> str:
        """The reason for which Flux does not apply the object; empty without one."""
        mark = first_marker(self.sent, EXCLUDED) or first_marker(self.before, EXCLUDED)
        if not mark and self.before is not None:
            mark = first_marker(self.sent, IF_NOT_PRESENT)
        return f"{mark} is set, so Flux skips the object" if mark else ""

    def _dry_run(self) -> Object | None:
        """The result of the dry run. None if the server rejects it and Flux does not recreate the object."""
        response = self._apply(self._live, self.sent)
        if response.object is None and self.before is not None and self._is_forced(response.error):
            self._recreated = response.server_message
            if self.before["metadata"].get("finalizers"):
                self._response = response
                return None
            response = self._apply(None, self.sent)
        self._response = response
        return response.object

    def _is_forced(self, error: MergeError | None) -> bool:
        is_immutable = isinstance(error, ClusterError) and error.reason in ("Conflict", "Invalid")
        if not is_immutable and not _IMMUTABLE.search(str(error)):
            return False
        return self._settings.force or bool(first_marker(self.sent, FORCED) or first_marker(self.before, FORCED))

    def _error_of_dry_run(self) -> str:
        response = self._response or Response(None)
        self._refused = True
        error, subject = response.error, describe(self.sent)
        if self._recreated and self.before and self.before["metadata"].get("finalizers"):
            return f"{subject} {WAITS}"
        reason = error.reason if isinstance(error, ClusterError) else ""
        message = response.server_message
        if reason == "NotFound":
            missing = "not found" if self.sent["metadata"].get("namespace") else "namespace not specified"
            return f"{subject} {missing}: {message}"
        return f"{subject} dry-run failed{f' ({reason})' if reason else ''}: {message}"

    # ---- cleanup --------------------------------------------------------------------------------------------------

    def _clean(self) -> tuple[bool, str]:
        """Remove annotations, labels and managedFields entries of kubectl and older Flux versions.

        Return whether anything was removed, and an error message.
        """
        live = self._live
        if live is None or first_marker(self.sent, MERGED) or first_marker(live, MERGED):
            return False, ""
        patch: list[Object] = [
            {"op": "remove", "path": f"/metadata/{field}/{key.replace('/', '~1')}"}
            for field, keys in (("annotations", REMOVED_ANNOTATIONS), ("labels", REMOVED_LABELS))
            for key in keys
            if key in texts_of(live, field)
        ]
        entries = entries_of(with_entries_merged(live, TOOLS["flux"].takes, self._manager))
        if entries != entries_of(live):
            patch.append({"op": "replace", "path": "/metadata/managedFields", "value": entries})
        if not patch:
            return False, ""
        if self._recreated:
            self._refused = True
            return True, self._error_of_cleanup(
                f'{self._requests.resource_of(live)} "{live["metadata"]["name"]}" not found'
            )
        response = self._requests.patch(live, self.sent, patch, "json", self.inputs.schema, manager=self._manager)
        if response.object is None:
            self._refused, self._response = True, response
            return True, self._error_of_cleanup(response.server_message)
        self._live = response.object
        return True, ""

    def _error_of_cleanup(self, message: str) -> str:
        return f"{describe(self.sent)} metadata.managedFields cleanup failed: {message}"

    # ---- apply ----------------------------------------------------------------------------------------------------

    def apply(self) -> str:
        """Apply the object if it has drifted. Return the error that stops the stage, or an empty string."""
        if self._skipped or not self._is_needed:
            return ""
        config = without_drift(self.sent, self._drifts)
        if self._is_cleaned and config["metadata"].get("resourceVersion"):  # the cleanup was a write
            self._refused = True
            name = config["metadata"]["name"]
            problem = f'Operation cannot be fulfilled on {self._requests.resource_of(config)} "{name}": {MODIFIED}'
            self._response = Response(None, (), (problem,))
            return f"{describe(self.sent)} apply failed: {problem}"
        self._response = self._apply(None if self._recreated else self._live, config)
        self._is_applied = self._response.object is not None
        if self._is_applied:
            return ""
        self._refused = True
        return f"{describe(self.sent)} apply failed: {self._response.server_message}"

    def _apply(self, live: Object | None, config: Object) -> Response:
        return self._requests.apply(live, config, self.inputs.schema, manager=self._manager, force=True)

    # ---- result ---------------------------------------------------------------------------------------------------

    def plan(self, action_if_not_reached: str = "") -> PlannedObject:
        """The plan after both steps.

        `action_if_not_reached` is the action of an object that was not applied because an error stopped the stage.
        """
        if self._skipped:
            found = plan_without_write(self.sent, NONE, SKIPPED, self.before, self.before)
            return replace(found, notes=(self._skipped,), place=self.inputs.manifest.place)
        if self._refused:
            response = self._response or Response(None)
            return self._planned(response, DELETED if self._recreated else REFUSED)
        if not self._is_needed and self._response is not None:
            return self._planned(Response(self._live), UNCHANGED)
        if not self._is_applied or self._response is None:
            return self._planned(Response(self._live), DELETED if self._recreated else action_if_not_reached)
        action = CREATED if self.before is None or self._recreated else CHANGED
        return self._planned(self._response, action)

    def _planned(self, response: Response, action: str) -> PlannedObject:
        compared = Comparison(self.before, self.inputs.schema, self._manager)
        notes = [*untracked_note(self.before)]
        if self._recreated:
            after = "and creates it again" if action != DELETED else NOT_REACHED if not self._refused else REJECTED_TOO
            notes.append(f"Flux deletes the object {after}. The change was rejected: {self._recreated}")
        method = REPLACE if self._recreated else SERVER_SIDE
        found = planned(
            *(self.inputs, method, compared, self.before, response),
            config=self.sent,
            keeping=KEEPING,
            notes=tuple(notes),
        )
        if self._drifts and not self._refused:
            found = replace(found, stuck=(*self._ignored(compared), *found.stuck))
        if action == DELETED:
            found = replace(found, after=None, changes=())
        elif response.object is None and self._is_cleaned and not self._recreated:
            found = replace(found, after=self._live)  # the cleanup stays
        return replace(found, action=action)

    def _ignored(self, compared: Comparison) -> Iterator[StuckField]:
        """The ignored fields whose live value stays."""
        for drift in self._drifts:
            steps = steps_of(self.before, drift.pointer)
            asked = lookup(self.sent, drift.pointer)
            value = None if asked is ABSENT else asked
            if value != drift.live:
                owners = compared.other_owners(from_steps(steps))
                yield StuckField(steps, IGNORED, value, drift.live, owners)


def steps_of(live: Object | None, pointer: str) -> Steps:
    """A JSON pointer as steps. Elements of lists are numbers."""
    value: Any = live
    steps: list[Any] = []
    for part in parts_of(pointer):
        is_index = isinstance(value, list) and part.isdigit() and int(part) < len(value)
        steps.append(int(part) if is_index else part)
        value = value[int(part)] if is_index else value.get(part) if isinstance(value, dict) else None
    return tuple(steps)


def _as_sent(config: Object, settings: Kustomization) -> Object:
    """The object as Flux sends it: labelled, and re-encoded with the Go types."""
    config = _with_metadata(with_integers(config), "labels", settings.owner_labels)
    is_role = config["apiVersion"] == "rbac.authorization.k8s.io/v1" and config["kind"] in _UNTYPED_RBAC
    if not is_role:
        typed = as_typed(config, LIBRARIES)
        config = _with_protocols(typed) if typed is not None else config
        config = {**config, "metadata": {**config["metadata"], "creationTimestamp": None}}
        if config["kind"].lower() != "customresourcedefinition":
            config = {key: value for key, value in config.items() if key != "status"}
    config = _with_metadata(config, "labels", settings.labels)
    return _with_metadata(config, "annotations", settings.annotations)


def _with_metadata(config: Object, field: str, more: dict[str, str]) -> Object:
    if not more:
        return config
    metadata = config["metadata"]
    known = {key: "" if value is None else value for key, value in texts_of(config, field).items()}
    if not all(isinstance(value, str) for value in known.values()):
        known = {}  # Go's accessor returns an empty map if any value is not a string
    return {**config, "metadata": {**metadata, field: {**known, **more}}}


def _with_protocols(typed: Object) -> Object:
    """The object with the default protocol of ports, and with the data of a Secret in `data`."""
    kind, group = typed["kind"], typed["apiVersion"]
    if (group, kind) == ("v1", "Service"):
        for port in (typed.get("spec") or {}).get("ports") or ():
            port.setdefault("protocol", "TCP")
    elif (group, kind) == ("v1", "Secret"):
        if typed.get("stringData"):
            typed["data"] = data_of(typed)
        typed.pop("stringData", None)
    else:
        for container in _containers(typed):
            for port in container.get("ports") or ():
                port.setdefault("protocol", "TCP")
    return typed


_POD_SPECS = {
    ("v1", "Pod"): ("spec",),
    **{
        ("apps/v1", kind): ("spec", "template", "spec")
        for kind in ("Deployment", "StatefulSet", "DaemonSet", "ReplicaSet")
    },
    ("batch/v1", "Job"): ("spec", "template", "spec"),
    ("batch/v1", "CronJob"): ("spec", "jobTemplate", "spec", "template", "spec"),
}


def _containers(typed: Object) -> list[Object]:
    found: Any = typed
    for field in _POD_SPECS.get((typed["apiVersion"], typed["kind"]), ("metadata", "containers")):
        found = found.get(field) or {}
    return (found.get("containers") or []) if isinstance(found, dict) else []


def has_drifted(live: Object, dry_run: Object) -> bool:
    """Whether Flux sees a difference: in labels, annotations, and everything outside metadata and status."""
    for field in ("labels", "annotations"):
        if texts_of(live, field) != texts_of(dry_run, field):
            return True
    return not same(_compared(live), _compared(dry_run))


def _compared(content: Object) -> Object:
    found = {key: value for key, value in content.items() if key not in ("metadata", "status")}
    if content["kind"] == "HorizontalPodAutoscaler" and content["apiVersion"] == "autoscaling/v2":
        spec = found.get("spec") or {}
        metrics: list[Object] = []
        for one in spec.get("metrics") or ():
            if one.get("type") and one not in metrics:
                metrics.append(one)
        found["spec"] = {**spec, "metrics": metrics}
    return found
