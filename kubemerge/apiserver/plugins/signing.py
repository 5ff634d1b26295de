"""CertificateApproval, CertificateSigning, CertificateSubjectRestriction and ClusterTrustBundleAttest."""

from __future__ import annotations

from base64 import b64decode
from typing import TYPE_CHECKING, Any

from ..authorization.attributes import Attributes
from ..errors import Forbidden
from ..text.go_text import quoted
from ..unchecked import as_map, as_text, get_path
from ..user import MASTERS, current_user

if TYPE_CHECKING:
    from .context import AdmissionContext

GROUP = "certificates.k8s.io"
REQUEST = (GROUP, "CertificateSigningRequest")
CLIENTS = "kubernetes.io/kube-apiserver-client"
BUNDLES_SINCE = 27
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
    if not _may(verb, signer, context):
        why = f"user not permitted to {verb} requests with signerName {quoted(signer)}"
        raise Forbidden(f"certificatesigningrequests.{GROUP}", content["metadata"]["name"], why)


def _may(verb: str, signer: str, context: AdmissionContext) -> bool:
    """Whether the user has the permission for a signer, or for all of its domain."""
    asked = Attributes(current_user(), verb, GROUP, "signers", name=signer)
    domain = asked._replace(name=f"{signer.partition('/')[0]}/*")
    return any(context.authorizer.authorize(one).allowed for one in (asked, domain))


def restrict_subject(content: dict[str, Any], context: AdmissionContext) -> None:
    """Reject a request for a client certificate of an administrator."""
    if context.subresource or get_path(content, "spec.signerName") != CLIENTS:
        return
    from ..registry import x509  # hardly any request needs it

    text = b64decode(as_text(get_path(content, "spec.request"))).decode("latin-1")
    block = next(x509.blocks(text), None)
    if block is not None and MASTERS in x509.organizations(block.content):
        why = f"use of {CLIENTS} signer with {MASTERS} group is not allowed"
        raise Forbidden(f"certificatesigningrequests.{GROUP}", content["metadata"]["name"], why)


def attest(content: dict[str, Any], context: AdmissionContext) -> None:
    """Reject a trust bundle by a user without the permission for its signer."""
    signer = as_text(get_path(content, "spec.signerName"))
    if not signer or not context.authorizer.decides:
        return
    if context.live is not None and content.get("spec") == context.live.get("spec"):
        return
    if not _may("attest", signer, context):
        why = f"user not permitted to attest for signerName {quoted(signer)}"
        raise Forbidden(f"clustertrustbundles.{GROUP}", content["metadata"]["name"], why)


def _result(content: dict[str, Any]) -> tuple[Any, Any]:
    status = as_map(content.get("status"))
    return status.get("certificate") or None, status.get("conditions") or None
