"""Policies for deletions by controllers, which are requests of their ServiceAccounts on a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..audit_annotations import annotating
from ..user import AUTHENTICATED, USER_PREFIX, User, account_groups
from .admission import RequestPolicies
from .context import PolicyContext
from .request import DELETE, AdmissionRequest, namespace_of

if TYPE_CHECKING:
    from ..plugins.context import AdmissionContext
    from ..protocol import Resource
    from ..resources import Kinds
    from ..storage.changes import ControllerDeletion
    from .source import PolicySet

NAMESPACE = "kube-system"
"""The namespace of the ServiceAccounts."""


def admit_deletion(
    deletion: ControllerDeletion, policies: PolicySet, resource: Resource, context: AdmissionContext, kinds: Kinds
) -> None:
    """Raise PolicyRejection if a policy denies the deletion. Warnings have no recipient."""
    user = User(f"{USER_PREFIX}{NAMESPACE}:{deletion.account}", groups=(*account_groups(NAMESPACE), AUTHENTICATED))
    name = "" if deletion.of_collection else deletion.key.name
    place = namespace_of(deletion.key, resource)
    request = AdmissionRequest(DELETE, resource, name, place, user, options=deletion.options)
    found = policies.candidates(request)
    if found is None:
        return
    policy_context = PolicyContext(request, kinds, context.of_kind, context.namespace, context.authorizer)
    with annotating(None):
        RequestPolicies(found, policy_context, deletion.live, lambda _: None).admit_deletion()
