"""The admission of one write: the context of the plugins, its policies and webhooks, and its quotas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .crd.deadlines import current_request
from .errors import NoMatch
from .identity import ObjectId
from .kinds.builtin_kinds import NAMESPACE
from .plugins.context import AdmissionContext
from .policies.request import NO_OPTIONS
from .user import current_user

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from .authorization.authorizer import Authorizer
    from .policies.admission import RequestPolicies
    from .policies.source import PolicySet
    from .protocol import Object, Resource
    from .storage.changes import Changes, ControllerDeletion
    from .webhooks.source import WebhookSet


class RequestAdmission:
    """The admission of the writes of one request."""

    def __init__(
        self,
        changes: Changes,
        policies: Callable[[], PolicySet | None],
        webhooks: WebhookSet | None,
        services: Mapping[str, str],
        authorizer: Authorizer,
        warn: Callable[[str], None],
        options: Mapping[str, Any],
    ) -> None:
        """`policies` returns the policies, with the changes of the transaction. `services` are the URLs of Services
        that webhooks name.
        """
        self._changes, self._store, self._kinds = changes, changes.store, changes.kinds
        self._current_policies, self._policies = policies, policies()
        self._webhooks, self._services, self.authorizer = webhooks, services, authorizer
        self._warn, self._options = warn, options

    def context(self, live: Object | None, subresource: str | None = None) -> AdmissionContext:
        """Return what the plugins need to know about a write."""

        def namespace(name: str) -> Object | None:
            return self._store.get_shared(ObjectId(*NAMESPACE, "", name))

        return AdmissionContext(
            self._store.of_kind,
            self._kinds.minor,
            live,
            self._changes.origins.now,
            namespace,
            self._warn,
            subresource,
            is_complete=self._store.is_complete,
            plural=self._plural,
            authorizer=self.authorizer,
        )

    def _plural(self, api_version: str, kind: str) -> str:
        try:
            return self._kinds.resource(api_version, kind).plural
        except NoMatch:
            return ""

    def policies_for(
        self,
        operation: str,
        resource: Resource,
        key: ObjectId,
        before: Object | None = None,
        subresource: str = "",
        *,
        name: str | None = None,
        kind: tuple[str, str] | None = None,
        dry_run: bool | None = None,
        options: Mapping[str, Any] = NO_OPTIONS,
    ) -> RequestPolicies | None:
        """Return the policies and webhooks that may apply to a request, if any. `kind` is that of the sent object.

        `options` are those of a call without a request to a server.
        """
        if self._policies is None and self._webhooks is None:
            return None
        from .policies.admission import RequestPolicies  # most clusters have no policies
        from .policies.context import PolicyContext
        from .policies.request import AdmissionRequest, namespace_of

        request = AdmissionRequest(
            operation,
            resource,
            key.name if name is None else name,
            namespace_of(key, resource),
            current_user(),
            subresource,
            kind,
            dry_run=self._changes.dry_run if dry_run is None else dry_run,
        )
        found = None if self._policies is None else self._policies.candidates(request)
        hooks = None if self._webhooks is None else self._webhooks.candidates(request)
        if found is None and hooks is None:
            return None
        sent = current_request()
        known = {**self._options, **options, **({"dryRun": ["All"]} if request.dry_run else {})}
        request = request._replace(options=known if sent is None else sent.options())
        context = self.context(None)
        found_in = (context.of_kind, context.namespace, self.authorizer)
        policy_context = PolicyContext(request, self._kinds, *found_in, is_complete=context.is_complete)
        if hooks is None:
            return RequestPolicies(found, policy_context, before, self._warn)
        from .webhooks.admission import RequestWebhooks  # most clusters have no webhooks

        webhooks = RequestWebhooks(hooks, policy_context, before, self._warn, self._services)
        return RequestPolicies(found, policy_context, before, self._warn, webhooks)

    def charge(
        self,
        operation: str,
        resource: Resource,
        key: ObjectId,
        content: Object,
        before: Object | None = None,
        subresource: str = "",
    ) -> None:
        """Reject a request that exceeds a ResourceQuota of its namespace."""
        if not (key.namespace and self._store.is_complete):
            return
        if key.namespace in self._changes.index.quotas(self._store):
            from .quota.admission import QuotaRequest, charge  # most clusters have no quotas

            request = QuotaRequest(operation, resource, key.name, content, before, subresource)
            charge(self._changes, request, key.namespace)

    def admit_deletion(self, deletion: ControllerDeletion) -> None:
        """Raise PolicyRejection if a policy denies a deletion by a controller. Webhooks are not called."""
        policies = self._current_policies()
        if policies is None:
            return
        from .policies.by_controllers import admit_deletion  # most clusters have no policies

        admit_deletion(deletion, policies, self._changes.resource(deletion.live), self.context(None), self._kinds)
