"""CertificateSigningRequest and ClusterTrustBundle."""

from __future__ import annotations

from base64 import b64decode
from functools import partial
from typing import TYPE_CHECKING, Any

from ..problems import Problem, duplicate, forbidden, immutable, invalid, required, unsupported
from ..text.go_text import go_text, quoted
from ..unchecked import as_map, as_number, as_text, get_path, maps
from ..user import current_user
from ..validation.signers import bundle_name, signer_name
from ..validation.values import formats
from . import x509
from .record import KindRecord

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..unchecked import Object

USAGES = (
    "any",
    "cert sign",
    "client auth",
    "code signing",
    "content commitment",
    "crl sign",
    "data encipherment",
    "decipher only",
    "digital signature",
    "email protection",
    "encipher only",
    "ipsec end system",
    "ipsec tunnel",
    "ipsec user",
    "key agreement",
    "key encipherment",
    "microsoft sgc",
    "netscape sgc",
    "ocsp signing",
    "s/mime",
    "server auth",
    "signing",
    "timestamping",
)
SENDER = ("username", "uid", "groups", "extra")
LEGACY = "kubernetes.io/legacy-unknown"
DECIDED = ("Approved", "Denied")
ONLY_TRUE = ("Approved", "Denied", "Failed")
NO_REQUEST = "PEM block type must be CERTIFICATE REQUEST"


def request(content: Object) -> Iterator[Problem]:
    """Validate a CertificateSigningRequest."""
    spec = as_map(content.get("spec"))
    why = _no_request(spec.get("request"))
    if why:
        yield invalid("spec.request", spec.get("request"), why)
    usages = spec.get("usages")
    listed = [as_text(one) for one in usages] if isinstance(usages, list) else []
    if not listed:
        yield required("spec.usages")
    for index, usage in enumerate(listed):
        if usage not in USAGES:
            yield unsupported(f"spec.usages[{index}]", usage, USAGES)
    for index, usage in enumerate(listed):
        if usage in listed[:index]:
            yield duplicate(f"spec.usages[{index}]", usage)
    signer, seconds = as_text(spec.get("signerName")), as_number(spec.get("expirationSeconds"))
    if signer == LEGACY:
        yield invalid("spec.signerName", signer, "the legacy signerName is not allowed via this API version")
    else:
        yield from signer_name("spec.signerName", signer)
    if seconds is not None and seconds < 600:
        why = "may not specify a duration less than 600 seconds (10 minutes)"
        yield invalid("spec.expirationSeconds", seconds, why)


def _no_request(value: Any) -> str:
    try:
        block = next(x509.blocks(b64decode(as_text(value)).decode("latin-1")), None)
    except ValueError:
        return NO_REQUEST
    if block is None or block.type != "CERTIFICATE REQUEST":
        return NO_REQUEST
    try:
        x509.request_key(block.content)
    except x509.Malformed as error:
        return str(error)
    return ""


def status(content: Object, before: Object, *, decides: bool = False) -> Iterator[Problem]:
    """Validate a status written by approvers or signers. Only approvers add approval conditions."""
    seen: set[str] = set()
    at = "status.conditions"
    for index, one in maps(as_map(content.get("status")), "conditions"):
        type_, said = as_text(one.get("type")), as_text(one.get("status"))
        allowed = ("True",) if type_ in ONLY_TRUE else ("False", "True", "Unknown")
        if not type_:
            yield required(f"{at}[{index}].type")
        if not said:
            yield required(f"{at}[{index}].status")
        elif said not in allowed:
            yield unsupported(f"{at}[{index}].status", said, allowed)
        if type_ in seen:
            yield duplicate(f"{at}[{index}].type", type_)
        seen.add(type_)
    for type_ in ONLY_TRUE:
        if len(_of(content, type_)) < len(_of(before, type_)):
            yield forbidden(at, f'updates may not remove a condition of type "{type_}"')
    for type_ in () if decides else DECIDED:
        if len(_of(content, type_)) > len(_of(before, type_)):
            yield forbidden(at, f'updates may not add a condition of type "{type_}"')
    yield from _certificate(content, before)


def _certificate(content: Object, before: Object) -> Iterator[Problem]:
    """An issued certificate is immutable."""
    was, now = (get_path(one, "status.certificate") or "" for one in (before, content))
    if now and (why := _no_certificate(now)) and not (was and _no_certificate(was)):
        yield invalid("status.certificate", "<certificate data>", why)
    if was and was != now:
        yield forbidden("status.certificate", "updates may not modify existing certificate content")


def _no_certificate(value: Any) -> str:
    try:
        listed = list(x509.blocks(b64decode(as_text(value)).decode("latin-1")))
        for block in listed:
            if block.type != "CERTIFICATE":
                return f"only CERTIFICATE PEM blocks are allowed, found {quoted(block.type)}"
            if block.headers:
                return "no PEM block headers are permitted"
            x509.is_authority(block.content)
    except x509.Malformed:
        return "x509: malformed certificate"
    except ValueError:
        listed = []
    return "" if listed else "must contain at least one CERTIFICATE PEM block"


def _of(content: Object, type_: str) -> list[Object]:
    return [one for _, one in maps(as_map(content.get("status")), "conditions") if one.get("type") == type_]


def metadata_only(_: Object, __: Object) -> Iterator[Problem]:
    """Accept a change of metadata only."""
    return iter(())


def decided(content: Object, before: Object) -> Object:
    """Return the request with the conditions of an approval. The rest of its status stays."""
    rest = {field: value for field, value in as_map(before.get("status")).items() if field != "conditions"}
    conditions = as_map(content.get("status")).get("conditions")
    return {**content, "status": {**rest, **({} if conditions is None else {"conditions": conditions})}}


def keep_decisions(content: Object, before: Object) -> Object:
    """Return the request with its old approval conditions, unless their number changes, which is rejected."""
    status = as_map(content.get("status"))
    conditions = status.get("conditions")
    if not isinstance(conditions, list):
        return content
    for type_ in DECIDED:
        old = _of(before, type_)
        if len(old) == len(_of(content, type_)):
            kept = iter(old)
            conditions = [next(kept) if as_map(one).get("type") == type_ else one for one in conditions]
    return {**content, "status": {**status, "conditions": conditions}}


def with_user(content: Object) -> Object:
    """Return a new request with the user that sends it, whatever its content."""
    spec = {field: value for field, value in as_map(content.get("spec")).items() if field not in SENDER}
    return {**content, "spec": {**spec, **current_user().info()}}


def keep_request(content: Object, before: Object) -> Object:
    """Return the old request with the new metadata."""
    return {**content, "spec": before.get("spec"), "status": before.get("status")}


def trust_bundle(content: Object) -> Iterator[Problem]:
    """Validate a ClusterTrustBundle."""
    yield from _bundle_names(content)
    signer = as_text(get_path(content, "spec.signerName"))
    if signer:
        yield from signer_name("spec.signerName", signer)
    yield from _anchors("spec.trustBundle", as_text(get_path(content, "spec.trustBundle")))


def _bundle_names(content: Object) -> Iterator[Problem]:
    """The name begins with the signer's name, if there is one."""
    signer = as_text(get_path(content, "spec.signerName"))
    for field in ("generateName", "name"):
        name = as_text(get_path(content, f"metadata.{field}"))
        if name:
            yield from formats.each(
                f"metadata.{field}", name, partial(bundle_name, signer, is_prefix=field == "generateName")
            )


def _anchors(at: str, bundle: str) -> Iterator[Problem]:
    seen: dict[bytes, list[int]] = {}
    whys = []
    for index, block in enumerate(x509.blocks(bundle)):
        why = _no_anchor(block)
        if why:
            whys.append(f"entry {index} {why}")
        else:
            seen.setdefault(block.content, []).append(index)
    if not whys and not seen:
        whys = ["at least one trust anchor must be provided"]
    elif not whys:
        twice = (places for places in seen.values() if len(places) > 1)
        whys = [f"duplicate trust anchor (indices {go_text(places)})" for places in twice]
    yield from (invalid(at, "<value omitted>", why) for why in whys)


def _no_anchor(block: x509.Block) -> str:
    if block.type != "CERTIFICATE":
        return f"has bad block type: {block.type}"
    if block.headers:
        return "has PEM block headers"
    try:
        is_authority = x509.is_authority(block.content)
    except x509.Malformed:
        return "does not parse as X.509"
    return "" if is_authority else "does not have the CA bit set"


def changed_bundle(content: Object, before: Object) -> Iterator[Problem]:
    """Validate an update of a bundle. Its signer is immutable, and an unchanged bundle is not decoded again."""
    same = get_path(content, "spec.trustBundle") == get_path(before, "spec.trustBundle")
    yield from (why for why in trust_bundle(content) if not (same and why.path.startswith("spec.trustBundle")))
    signer = as_text(get_path(content, "spec.signerName"))
    if signer != as_text(get_path(before, "spec.signerName")):
        yield immutable("spec.signerName", signer)


GROUP = "certificates.k8s.io"
RECORDS = (
    KindRecord(
        group=GROUP,
        kind="CertificateSigningRequest",
        versions=(f"{GROUP}/v1",),
        check=request,
        check_update=metadata_only,
        check_status=status,
        check_approval=partial(status, decides=True),
        approved=decided,
        status_updated=keep_decisions,
        created=with_user,
        updated=keep_request,
    ),
    KindRecord(
        group=GROUP,
        kind="ClusterTrustBundle",
        named_again=True,
        versions=(f"{GROUP}/v1", f"{GROUP}/v1beta1", f"{GROUP}/v1alpha1"),
        check=trust_bundle,
        check_update=changed_bundle,
    ),
)
