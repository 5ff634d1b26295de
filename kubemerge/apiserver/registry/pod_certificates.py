"""PodCertificateRequest, by which a node requests the certificate of a Pod."""

from __future__ import annotations

from base64 import b64decode
from typing import TYPE_CHECKING, Any

from ..defaulting.rules import Default, Group
from ..problems import OMITTED, Problem, invalid, required, too_long, unsupported
from ..unchecked import as_map, as_number, as_text, maps
from ..validation import names
from ..validation.pod_spec.internal_form import printed_invalid
from ..validation.signers import signer_name, user_annotations
from ..validation.values import formats
from ..validation.values.conditions import conditions
from .record import KindRecord
from .x509 import PublicKey, public_key, request_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

GROUP = "certificates.k8s.io"
LONGEST_UID, LONGEST_REQUEST = 128, 10 * 1024
SHORTEST, LONGEST, LONGEST_OF_KUBERNETES = 3600, 91 * 24 * 3600, 24 * 3600
ENDS = ("Issued", "Denied", "Failed")
ONE_END = 'There may be at most one condition with type "Issued", "Denied", or "Failed"'
ONE_KEY = "exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set"
NO_END = 'status is immutable unless transitioning to "Issued", "Denied", or "Failed"'
NOT_EMPTY = "non-condition status fields must be empty when denying or failing the PodCertificateRequest"
SIZES = (3072, 4096)
_AT, _KEY_AT, _PROOF_AT = "spec.stubPKCS10Request", "spec.pkixPublicKey", "spec.proofOfPossession"
WITH_REQUESTS = 36
"""The first minor release with stubPKCS10Request."""


def request(content: Object, minor: int) -> Iterator[Problem]:
    """Validate a PodCertificateRequest in a minor release."""
    spec = as_map(content.get("spec"))
    signer, seconds = as_text(spec.get("signerName")), as_number(spec.get("maxExpirationSeconds"))
    yield from signer_name("spec.signerName", signer)
    yield from user_annotations("spec.unverifiedUserAnnotations", as_map(spec.get("unverifiedUserAnnotations")))
    for name, uid in (("podName", "podUID"), ("serviceAccountName", "serviceAccountUID"), ("nodeName", "nodeUID")):
        yield from formats.each(f"spec.{name}", as_text(spec.get(name)), names.subdomain)
        size = len(as_text(spec.get(uid)).encode())
        if not size:
            yield invalid(f"spec.{uid}", "", "must not be empty")
        if size > LONGEST_UID:
            yield too_long(f"spec.{uid}", LONGEST_UID)
    if seconds is None:
        yield required("spec.maxExpirationSeconds", "must be set")
        return
    host = signer.partition("/")[0]
    most = LONGEST_OF_KUBERNETES if f".{host}".endswith(".kubernetes.io") else LONGEST
    if not SHORTEST <= seconds <= most:
        yield invalid("spec.maxExpirationSeconds", seconds, f"must be in the range [{SHORTEST}, {most}]")
    given = tuple(bool(spec.get(field)) for field in ("stubPKCS10Request", "pkixPublicKey", "proofOfPossession"))
    if given == (True, False, False):
        yield from _stub(spec["stubPKCS10Request"])
    elif given == (False, True, True) or minor < WITH_REQUESTS:
        yield from _proven_key(spec.get("pkixPublicKey"), as_text(spec.get("proofOfPossession")))
    else:
        yield invalid("spec", OMITTED, ONE_KEY)


def _stub(value: Any) -> Iterator[Problem]:
    try:
        content = b64decode(as_text(value))
        if len(content) > LONGEST_REQUEST:
            yield too_long(_AT, LONGEST_REQUEST)
            return
        key = request_key(content)
    except ValueError:
        yield invalid(_AT, OMITTED, "must be a valid PKCS#10 CSR")
        return
    yield from _key(key, _AT, OMITTED, "P256, P384, or P521")


def _proven_key(given: Any, proof_text: str) -> Iterator[Problem]:
    """Validate a public key and its proof of possession. The signature is not verified."""
    content, proof = b64decode(as_text(given)), b64decode(proof_text)
    for at, value in ((_KEY_AT, content), (_PROOF_AT, proof)):
        if len(value) > LONGEST_REQUEST:
            yield too_long(at, LONGEST_REQUEST)
            return
    try:
        key = public_key(content)
    except ValueError:
        yield invalid(_KEY_AT, given, "must be a valid PKIX-serialized public key")
        return
    wrong = list(_key(key, _KEY_AT, given, "P256 or P384"))
    yield from wrong
    if not (wrong or proof):
        yield invalid(_PROOF_AT, OMITTED, "could not verify proof-of-possession signature")


def _key(key: PublicKey, at: str, value: Any, curves: str) -> Iterator[Problem]:
    if key.kind == "RSA" and key.bits not in SIZES:
        yield invalid(at, f"{key.bits}-bit modulus", "RSA keys must have modulus size 3072 or 4096")
    elif key.curve == "P-224":
        yield invalid(at, f"curve {key.curve}", f"elliptic public keys must use curve {curves}")
    elif not key.kind:
        yield invalid(at, value, "unknown public key type; supported types are Ed25519, ECDSA, and RSA")


def changed_request(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a PodCertificateRequest. Its spec is immutable."""
    if content.get("spec") != before.get("spec"):
        yield from printed_invalid("spec", "PodCertificateRequestSpec", content.get("spec"), formats.FIELD_IS_IMMUTABLE)


def status(content: Object, before: Object) -> Iterator[Problem]:
    """Validate the status of a PodCertificateRequest. A plugin validates the certificate, by the time of the server."""
    wrong = _wrong_end(content, before)
    if wrong:
        yield from wrong
        return
    now, then = as_map(content.get("status")), as_map(before.get("status"))
    if ended(before):
        if now != then:
            yield invalid("status", OMITTED, "immutable after PodCertificateRequest is issued, denied, or failed")
    elif not ended(content):
        if now != then:
            yield invalid("status", OMITTED, NO_END)
    elif ended(content) in ("Denied", "Failed") and now.keys() - {"conditions"}:
        yield invalid("status", OMITTED, NOT_EMPTY)


def _ends(content: Object) -> Iterator[Problem]:
    """Validate the types of the conditions. A request has at most one, with which it ends."""
    given = 0
    for index, one in maps(as_map(content.get("status")), "conditions"):
        at, type_ = f"status.conditions.[{index}]", as_text(one.get("type"))
        if type_ not in ENDS:
            yield unsupported(f"{at}.type", type_, ENDS)
            continue
        given += 1
        if given > 1:
            yield invalid(f"{at}.type", type_, ONE_END)
        if one.get("status") != "True":
            yield unsupported(f"{at}.status", as_text(one.get("status")), ("True",))


def _wrong_end(content: Object, before: Object) -> list[Problem]:
    return [*_ends(content), *conditions(content, before)]


def has_valid_end(content: Object, before: Object) -> bool:
    """Whether the conditions of a changed status are valid, so that the rest of it is validated, too."""
    return not _wrong_end(content, before)


def ended(content: Object) -> str:
    """Return the terminal condition of a request, or an empty text."""
    listed = (as_text(one.get("type")) for _, one in maps(as_map(content.get("status")), "conditions"))
    return next((type_ for type_ in listed if type_ in ENDS), "")


RECORDS = (
    KindRecord(
        group=GROUP,
        kind="PodCertificateRequest",
        versions=(f"{GROUP}/v1", f"{GROUP}/v1beta1"),
        defaults=(
            Group(
                ("PodCertificateRequest",),
                "certificates/v1/zz_generated.defaults.go",
                (Default("spec.maxExpirationSeconds", 86400, unset=(None,)),),
            ),
        ),
        check_in=request,
        check_update=changed_request,
        check_status=status,
    ),
)
