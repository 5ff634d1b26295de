"""ConfigMaps and Secrets from literals and files."""

from __future__ import annotations

import hashlib
import json
from base64 import b64encode
from typing import TYPE_CHECKING

from ...apiserver.registry.key_pair import key_pair_problem
from .parts import BadOptions, given, head, in_order
from .sources import content, env_files, files, literals, wrong_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ...cluster import Object

_TOGETHER = "from-env-file cannot be combined with from-file or from-literal"


def config_map(
    name: str, *, literal: Sequence[str], file: Sequence[str], env_file: Sequence[str], append_hash: bool
) -> Object:
    """A ConfigMap. Values that are not UTF-8 become binary data."""
    if env_file and (file or literal):
        raise BadOptions(_TOGETHER)
    data: dict[str, str] = {}
    binary: dict[str, str] = {}
    for key, value in (*files(file), *literals(literal), *env_files(env_file, "config")):
        _check_key(name, key, data, binary)
        try:
            data[key] = value.decode()
        except UnicodeDecodeError:
            binary[key] = b64encode(value).decode()
    values = {"data": in_order(data), **given({"binaryData": in_order(binary)})}
    named = f"{name}-{_digest({'kind': 'ConfigMap', 'name': name, **values})}" if append_hash else name
    return {**head("v1", "ConfigMap", named), **given(values)}


def _check_key(name: str, key: str, data: dict[str, str], binary: dict[str, str]) -> None:
    problems = wrong_key(key)
    if problems:
        raise BadOptions(f'"{key}" is not a valid key name for a ConfigMap: {",".join(problems)}')
    for field, there in (("Data", data), ("BinaryData", binary)):
        if key in there:
            taken = f"another key by that name already exists in {field} for ConfigMap"
            raise BadOptions(f'cannot add key "{key}", {taken} "{name}"')


def _digest(content: Object) -> str:
    """The suffix of a name that changes with the content, without vowels."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    for one in "<>&\u2028\u2029":
        text = text.replace(one, f"\\u{ord(one):04x}")
    return hashlib.sha256(text.encode()).hexdigest()[:10].translate(str.maketrans("013ae", "ghkmt"))


# ---- Secrets ---------------------------------------------------------------------------------------------------------


def secret(
    name: str, *, literal: Sequence[str], file: Sequence[str], env_file: Sequence[str], type_: str, append_hash: bool
) -> Object:
    """A Secret of any type."""
    if env_file and (file or literal):
        raise BadOptions(_TOGETHER)
    values = (*literals(literal), *files(file), *env_files(env_file, "secret"))
    return _secret(name, type_, values, append_hash)


def _secret(name: str, type_: str, values: Iterable[tuple[str, bytes]], append_hash: bool) -> Object:
    data: dict[str, str] = {}
    for key, value in values:
        problems = wrong_key(key)
        if problems:
            raise BadOptions(f'"{key}" is not valid key name for a Secret {";".join(problems)}')
        if key in data:
            raise BadOptions(f"cannot add key {key}, another key by that name already exists")
        data[key] = b64encode(value).decode()
    data = in_order(data)
    hashed = {"kind": "Secret", "type": type_, "name": name, "data": data}
    named = f"{name}-{_digest(hashed)}" if append_hash else name
    return {**head("v1", "Secret", named), **given({"data": data, "type": type_})}


DOCKER_KEY = ".dockerconfigjson"


def docker_secret(
    name: str, *, file: Sequence[str], server: str, username: str, password: str, email: str, append_hash: bool
) -> Object:
    """A Secret with the credentials for an image registry."""
    if not file and not (username and password and server):
        needed = "the combination of --docker-username, --docker-password and --docker-server"
        raise BadOptions(f"either --from-file or {needed} is required")
    if file:
        values = files([one if "=" in one else f"{DOCKER_KEY}={one}" for one in file])
        return _secret(name, "kubernetes.io/dockerconfigjson", values, append_hash)
    auth = b64encode(f"{username}:{password}".encode()).decode()
    entry = given({"username": username, "password": password, "email": email, "auth": auth})
    text = json.dumps({"auths": {server: entry}}, separators=(",", ":"), ensure_ascii=False)
    for one in "<>&":
        text = text.replace(one, f"\\u{ord(one):04x}")
    return _secret(name, "kubernetes.io/dockerconfigjson", [(DOCKER_KEY, text.encode())], append_hash)


def tls_secret(name: str, *, cert: str, key: str, append_hash: bool) -> Object:
    """A Secret with a certificate and its key."""
    if not cert or not key:
        raise BadOptions("key and cert must be specified")
    values = [("tls.crt", _read(cert)), ("tls.key", _read(key))]
    problem = key_pair_problem(*(data.decode("latin-1") for _, data in values))
    if problem:
        raise BadOptions(problem)
    _check_with_openssl(cert, key)
    return _secret(name, "kubernetes.io/tls", values, append_hash)


def _read(path: str) -> bytes:
    try:
        return content(path)
    except BadOptions as error:
        raise BadOptions(f"Cannot read file {path}, {error}") from None


def _check_with_openssl(cert: str, key: str) -> None:
    """Reject a key without a public part, such as an Ed25519 key, that does not fit its certificate."""
    import ssl

    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key)
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            raise BadOptions("tls: private key does not match public key") from None
