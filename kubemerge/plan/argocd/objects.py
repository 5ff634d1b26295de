"""Sync of one object by Argo CD: the requests that it sends through kubectl's code."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import engine
from engine import upgrade_managed_fields
from engine.clientside.last_applied import with_last_applied, without_last_applied
from engine.directives import ANNOTATION
from engine.errors import MergeError

from ...actions.serverside.handing_over import owners_of_annotation
from ...apiserver.authorization.rules import TooManyPermissions
from ...apiserver.errors import ClusterError, Conflict
from ...migrate.hand_over import patch_of, with_fields_taken_after
from ..fields import Comparison
from ..metadata import entries_of, texts_of
from ..model import CHANGED, CLIENT_SIDE, CREATED, DELETED, REFUSED, REPLACE, SERVER_SIDE, UNCHANGED
from ..requests import Response
from ..typed import as_typed, metadata_error
from ..writing import last_applied_of, planned, untracked_note
from .comparison import LIBRARIES
from .order import has_option
from .rbac import is_reconciled, reconciled

if TYPE_CHECKING:
    from ...offline.pairs import Inputs
    from ..model import PlannedObject
    from ..requests import Requests
    from .settings import Application

    Object = dict[str, Any]

MANAGER = "argocd-controller"
"""The field manager of applies, client-side too."""
CLIENT = "argocd-application-controller"
"""The field manager of other requests, from the program's user agent."""
FINALIZERS = "roleRef cannot change, and finalizers keep the object that has to be deleted first"
GONE = "the server rejects the new object, and `kubectl auth reconcile` does not create the old one again"
VERSION_OF_NEW = "resourceVersion should not be set on objects to be created"
UNREADABLE = "`kubectl auth reconcile` cannot read the config: a value has the wrong type"
RESTORED = "Force=true deletes the object. The server rejects the new one, so kubectl creates the old one again"
_UPDATED = ("CustomResourceDefinition", "Namespace")
"""Kinds that Replace=true updates without kubectl, because `kubectl replace` may recreate them."""

IGNORED = "ignoreDifferences has this field, so its live value stays"
KEEPING = (
    "to keep these live values, add their paths to ignoreDifferences, and the sync option RespectIgnoreDifferences=true"
)


class SyncedObject:
    """One object of the Application. `target` is the object as Argo CD sends it."""

    def __init__(self, inputs: Inputs, target: Object, requests: Requests, settings: Application) -> None:
        self.inputs, self.target, self._requests, self._settings = inputs, target, requests, settings
        self.before = requests.read(inputs.live.content) if inputs.live else None
        self.sent, self._live = target, self.before
        self.method = self._method()
        self._manager = MANAGER if self.method in (CLIENT_SIDE, SERVER_SIDE) else CLIENT
        self._response: Response | None = None
        self._is_forced = self._is_rebound = False
        """Whether it is deleted and created again, because of Force=true or because its roleRef cannot change."""
        self._typed: Object = {}
        """A role or binding after a round trip through Go's types. The dry run sets it."""
        self._outcome: engine.Outcome | None = None
        self.error = ""

    def _method(self) -> str:
        marked = has_option(self.target, "Replace=true") or has_option(self.before, "Replace=true")
        if self._settings.has("Replace=true") or marked:
            return REPLACE
        return SERVER_SIDE if self._uses_server else CLIENT_SIDE

    @property
    def _uses_server(self) -> bool:
        if has_option(self.target, "ServerSideApply=false"):
            return False
        return self._settings.has("ServerSideApply=true") or has_option(self.target, "ServerSideApply=true")

    @property
    def _forces(self) -> bool:
        marked = has_option(self.target, "Force=true") or has_option(self.before, "Force=true")
        return self._settings.force or marked

    def predicted(self, target: Object) -> Response:
        """The result of the dry run of a server-side diff."""
        return self._requests.apply(self.before, target, self.inputs.schema, manager=MANAGER, force=True)

    def dry_run(self) -> str:
        """Run kubectl's client-side dry run. Return an error, or an empty string."""
        try:
            self._check_types()
            if self.method != REPLACE:
                self._outcome = engine.apply(self.sent, self.before, self.inputs.schema, last_applied=self.inputs.given)
        except MergeError as error:
            self.error = str(error)
            self._response = Response.refused(error)
        return self.error

    def _check_types(self) -> None:
        """Raise MergeError if kubectl cannot decode the config. It decodes the metadata, and roles and bindings as a
        whole. The dry run of a server-side apply is one of a client-side apply.
        """
        if self.method == REPLACE and self.before is not None and self.target["kind"] in _UPDATED:
            return
        if self.method != REPLACE and is_reconciled(self.sent):
            typed = as_typed(self.sent, LIBRARIES)
            if typed is None:
                raise MergeError(UNREADABLE)
            self._typed = typed
        problem = metadata_error(self.sent, LIBRARIES)
        if problem:
            raise MergeError(f"kubectl cannot decode the config: {problem}. Correct the value")

    def sync(self) -> None:
        """Send the requests."""
        live = self._live
        if self._uses_server and live is not None:
            response = self._migrated(live)
            if response.object is None:
                self._response, self.error = response, str(response.error)
                return
            self._live = response.object
        if self.method == SERVER_SIDE:
            self._response = self._server_side()
        elif self.method == REPLACE:
            self._response = self._replace()
        else:
            self._response = self._client_side()
        self.error = "" if self._response.object is not None else str(self._response.error)

    # ---- server-side apply --------------------------------------------------------------------------------------

    def _migrated(self, live: Object) -> Response:
        """The object after the fields of client-side apply were handed over."""
        former = self._settings.migration_manager
        is_former = [one.get("manager") == former and one.get("operation") == "Update" for one in entries_of(live)]
        if self._settings.has("ClientSideApplyMigration=false") or not any(is_former):
            return Response(live)
        patch = patch_of(live, upgrade_managed_fields(live, {former}, MANAGER))
        if not patch:
            return Response(live)
        return self._requests.patch(live, self.target, patch, "json", self.inputs.schema, manager=CLIENT)

    def _server_side(self) -> Response:
        response = self._stale(self.sent) or self._apply(self._live)
        merged = response.object
        if merged is None or not any(owners_of_annotation(merged, "Update")):
            return response
        after = with_fields_taken_after(merged, MANAGER)
        handed_over = response._replace(object=after)
        if self.sent["metadata"].get("resourceVersion"):  # stale by now, and kubectl only warns
            return handed_over
        again = self._apply(after)
        return handed_over if again.object is None else again

    def _apply(self, live: Object | None) -> Response:
        return self._requests.apply(live, self.sent, self.inputs.schema, manager=MANAGER, force=True)

    def _stale(self, sent: Object) -> Response | None:
        """The conflict of a config with a resourceVersion after an earlier write to the object."""
        if self.before is None or self._live is self.before or not sent["metadata"].get("resourceVersion"):
            return None
        return Response.refused(Conflict(self._requests.resource_of(sent), sent["metadata"]["name"]))

    # ---- replace ------------------------------------------------------------------------------------------------

    def _replace(self) -> Response:
        schema, sent = self.inputs.schema, self.sent
        if self.before is not None and self.target["kind"] in _UPDATED:
            version = self.before["metadata"].get("resourceVersion")
            sent = {**sent, "metadata": {**sent["metadata"], "resourceVersion": version}}
            return self._stale(sent) or self._requests.replace(self.before, sent, schema, manager=CLIENT)
        if ANNOTATION in texts_of(sent, "annotations"):  # kubectl updates the annotation of a config that has one
            sent = with_last_applied(without_last_applied(sent))
        if self.before is None:
            is_unchecked = self._settings.has("Validate=false") or has_option(self.target, "Validate=false")
            return self._requests.create(sent, schema, manager=CLIENT, strict=not is_unchecked)
        if self._forces:
            self._is_forced = True
            return self._requests.create(sent, schema, manager=CLIENT)
        live = self._live or self.before
        return self._stale(sent) or self._requests.replace(live, sent, schema, manager=CLIENT)

    # ---- client-side apply --------------------------------------------------------------------------------------

    def _client_side(self) -> Response:
        schema, live = self.inputs.schema, self.before
        outcome = self._outcome or engine.apply(self.sent, live, schema, last_applied=self.inputs.given)
        if is_reconciled(self.sent):
            reconciled = self._reconciled(live)
            if reconciled.object is None:
                return reconciled
            live = self._live = reconciled.object
            outcome = engine.apply(self.sent, live, schema)
        if live is None:
            return self._requests.create(outcome.patch, schema, manager=MANAGER)
        response = self._stale(self.sent)
        if response is None:
            if outcome.patch_type == "none":
                return Response(live)
            response = self._requests.patch(live, self.sent, outcome.patch, outcome.patch_type, schema, manager=MANAGER)
        reason = response.error.reason if isinstance(response.error, ClusterError) else ""
        if self._forces and reason in ("Conflict", "Invalid"):
            self._is_forced = True
            new = engine.apply(self.sent, None, schema).patch
            return self._requests.create(new, schema, manager=MANAGER)
        return response

    def _reconciled(self, live: Object | None) -> Response:
        """The object after `kubectl auth reconcile`."""
        schema = self.inputs.schema
        if live is None:
            return self._requests.create(self.sent, schema, manager=CLIENT)
        try:
            found = reconciled(live, self._typed)
        except TooManyPermissions as error:
            return Response.refused(error)
        if found is None:
            return Response(live)
        if found.is_recreated and live["metadata"].get("finalizers"):
            return Response.refused(MergeError(FINALIZERS))
        if found.is_recreated:
            self._is_rebound = True
            response = self._requests.create(self.sent, schema, manager=CLIENT)
            if self.sent["metadata"].get("resourceVersion"):
                response = Response.refused(MergeError(VERSION_OF_NEW))
            self._live = response.object
            return response
        return self._requests.replace(live, found.object, schema, manager=CLIENT)

    # ---- result -------------------------------------------------------------------------------------------------

    def plan(self, action_if_not_reached: str, status: str) -> PlannedObject:
        """The plan. `action_if_not_reached` is the action of an object that an error kept from being synced."""
        response = self._response or Response(self.before)
        compared = Comparison(self.before, self.inputs.schema, self._manager)
        notes = [*untracked_note(self.before)]
        has_failed = self._response is not None and response.object is None
        is_gone = has_failed and self._is_gone()
        if self._is_forced and self.method == CLIENT_SIDE and response.object is None:
            notes.append(RESTORED)
        elif self._is_forced or self._is_rebound:
            why = "Force=true is set" if self._is_forced else "its roleRef cannot change"
            notes.append(f"Argo CD deletes the object and creates it again, because {why}")
        if is_gone and self._is_rebound:
            notes.append(GONE)
        found = planned(
            *(self.inputs, self.method, compared, self.before, response),
            config=self.sent,
            previous=self._previous(),
            keeping=KEEPING,
            notes=tuple(notes),
        )
        if self.sent is not self.target and response.object is not None:
            ignored = compared.stuck(self.target, (), self.sent, on_server=False, drift=IGNORED)
            found = replace(found, stuck=(*ignored, *found.stuck))
        action = action_if_not_reached
        if has_failed:
            action = DELETED if is_gone else REFUSED
        elif self._response is not None and not action_if_not_reached:
            is_new = self.before is None or self._is_forced or self._is_rebound
            action = CREATED if is_new else UNCHANGED if response.object == self.before else CHANGED
        if response.object is None and not self._is_forced and self._live is not self.before:
            found = replace(found, after=self._live)  # earlier writes stay
        return replace(found, action=action, status=status)

    def _is_gone(self) -> bool:
        """Whether an object whose last request failed was deleted, and is not there any more."""
        return self._live is None if self._is_rebound else self._is_forced and self.method != CLIENT_SIDE

    def _previous(self) -> list[Object]:
        return [] if self.method == REPLACE else last_applied_of(self.before)
