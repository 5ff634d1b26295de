"""Applying one object on the server, as `kubectl apply --server-side` does.

The first such apply to an object created by client-side apply takes three more steps, each with its own request. The
client-side annotation gets its own manager, client-side fields are handed over, and the config is applied again. The
last step removes the fields that the config omits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine import MergeError, upgrade_managed_fields
from engine.directives import ANNOTATION

from ...cluster import Conflict, NotFound, Reference, UnsupportedMediaType
from ..create import NoNamespace
from .handing_over import annotation_to_keep, owners_of_annotation, replacing_entries
from .managers import KUBECTL, LAST_APPLIED

if TYPE_CHECKING:
    from ...cluster import Cluster, Object

TRIES = 5
"""Attempts to hand over the fields when the object changes in the meantime."""
ADVICE = """
Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the `--force-conflicts` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts"""
"""The text that kubectl appends to conflicts."""
DELETED = "Detected changes to resource {} which is currently being deleted."
_LATER = "This is non-fatal and will be retried next time you apply. Error:"
NOT_KEPT = f"failed to migrate {ANNOTATION} for Server-Side Apply. {_LATER}"
NOT_HANDED_OVER = f"server rejected managed fields migration to Server-Side Apply. {_LATER}"
NOT_APPLIED_AGAIN = f"failed to re-apply configuration after performing Server-Side Apply migration. {_LATER}"


class BadName(MergeError):
    """A config whose object has no name."""


class NotAvailable(MergeError):
    """A cluster without server-side apply."""


class ServerSideApply:
    """The server-side applies of one command: the field manager, and whether conflicts are forced."""

    def __init__(
        self,
        cluster: Cluster,
        manager: str = KUBECTL,
        *,
        force: bool = False,
        dry_run: bool = False,
        validate: str | None = None,
    ) -> None:
        self._cluster, self._manager, self._force, self._dry_run = cluster, manager, force, dry_run
        self._validate = validate

    def apply(self, config: Object) -> tuple[Object, list[str]]:
        """The resulting object, and warnings in kubectl's words. Raise ApplyConflict if others own its fields."""
        _refuse_nameless(config)
        live = self._sent(config)
        warnings: list[str] = []
        try:
            live = self._with_annotation_kept(live)
            handed_over = self._handed_over(live)
        except _Failed as failed:
            warnings.append(str(failed))
            handed_over = None
        if handed_over is not None:
            live = handed_over
            try:
                live = self._sent(config)
            except MergeError as error:
                warnings.append(f"{NOT_APPLIED_AGAIN} {error}")
        if "deletionTimestamp" in live["metadata"]:
            warnings.append(DELETED.format(live["metadata"]["name"]))
        return live, [f"Warning: {text}" for text in warnings]

    def _sent(self, config: Object, manager: str | None = None) -> Object:
        force = self._force and manager is None
        by = manager or self._manager
        try:
            return self._cluster.patch(
                Reference.of(config),
                config,
                "apply",
                manager=by,
                force=force,
                dry_run=self._dry_run,
                field_validation=self._validate,
            )
        except UnsupportedMediaType as error:
            raise NotAvailable(f"Server-side apply not available on the server: ({error})") from None
        except NotFound as error:
            raise NoNamespace(error.name) if error.called == "namespaces" else error from None

    # ---- what client-side apply has left -----------------------------------------------------------------------------

    def _with_annotation_kept(self, live: Object) -> Object:
        """The object with a manager that keeps the client-side annotation, so that users can go back to client-side
        apply.
        """
        config = annotation_to_keep(live, self._manager)
        if config is None:
            return live
        try:
            return self._sent(config, LAST_APPLIED)
        except MergeError as error:
            raise _Failed(f"{NOT_KEPT} {error}") from None

    def _handed_over(self, live: Object) -> Object | None:
        """The object after the handover of client-side fields. None if there are none."""
        names = set(owners_of_annotation(live, "Update"))
        where = Reference.of(live)
        for left in range(TRIES - 1, -1, -1):
            upgraded = upgrade_managed_fields(live, names, self._manager)["metadata"].get("managedFields")
            if not names or upgraded == live["metadata"].get("managedFields"):
                return None
            patch = replacing_entries(live, upgraded)
            try:
                return self._cluster.patch(where, patch, "json", manager=self._manager, dry_run=self._dry_run)
            except MergeError as error:
                if not (left and isinstance(error, Conflict)):
                    raise _Failed(f"{NOT_HANDED_OVER} {error}") from None
            live = self._cluster.get(where)
        raise AssertionError


class _Failed(Exception):
    """A step after the apply that failed, in the words of a warning."""


def _refuse_nameless(config: Object) -> None:
    metadata = config["metadata"]
    if not metadata.get("name") and metadata.get("generateName"):
        raise BadName(f"from {metadata['generateName']}: cannot use generate name with apply")
    if not metadata.get("name"):
        raise BadName("resource name may not be empty")
