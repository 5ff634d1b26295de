"""CertificateApproval and CertificateSigning: only users with permissions for a signer approve or sign its requests."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..authorization.attributes import Attributes
from ..errors import Forbidden
from ..text.go_text import quoted
from ..unchecked import as_map, as_text, get_path
from ..user import current_user

if TYPE_CHECKING:
    from .context import AdmissionContext

GROUP = "certificates.k8s.io"
REQUEST = (GROUP, "CertificateSigningRequest")
SINCE = 18
"""The first minor release with signer names."""


def check(content: dict[str, Any], context: AdmissionContext) -> None:
    """Reject an approval or a signature by a user without the permission for its signer."""
    if not context.authorizer.decides or context.live is None:
        return
    signer = as_text(get_path(context.live, "spec.signerName"))
    if context.subresource == "approval":
        verb = "approve"
    elif context.subresource == "status" and _result(content) != _result(context.live):
        verb = "sign"
    else:
        return
    asked = Attributes(current_user(), verb, GROUP, "signers", name=signer)
    domain = asked._replace(name=f"{signer.partition('/')[0]}/*")
    if not any(context.authorizer.authorize(one).allowed for one in (asked, domain)):
        why = f"user not permitted to {verb} requests with signerName {quoted(signer)}"
        raise Forbidden(f"certificatesigningrequests.{GROUP}", content["metadata"]["name"], why)


def _result(content: dict[str, Any]) -> tuple[Any, Any]:
    status = as_map(content.get("status"))
    return status.get("certificate") or None, status.get("conditions") or None
