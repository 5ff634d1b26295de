"""The schema of kubeconfigs. Errors never contain values, because some are secrets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

TEXTS, MAPS = [str], [dict]
CLUSTER: Mapping[str, Any] = {
    "server": str,
    "tls-server-name": str,
    "insecure-skip-tls-verify": bool,
    "certificate-authority": str,
    "certificate-authority-data": str,
    "proxy-url": str,
    "disable-compression": bool,
    "extensions": MAPS,
}
USER: Mapping[str, Any] = {
    "client-certificate": str,
    "client-certificate-data": str,
    "client-key": str,
    "client-key-data": str,
    "token": str,
    "tokenFile": str,
    "as": str,
    "as-uid": str,
    "as-groups": TEXTS,
    "as-user-extra": {},
    "username": str,
    "password": str,
    "auth-provider": {},
    "exec": {
        "command": str,
        "args": TEXTS,
        "env": MAPS,
        "apiVersion": str,
        "installHint": str,
        "provideClusterInfo": bool,
        "interactiveMode": str,
    },
}
CONTEXT: Mapping[str, Any] = {"cluster": str, "user": str, "namespace": str}
"""The supported fields: a type, a list of a type, or a mapping of fields. Like kubectl, others are ignored."""
_WORDS = {str: "a text", bool: "true or false", dict: "a mapping"}


def check(value: Any, form: Any, place: str) -> str:
    """Return the error about a value, as `users[0].user.token is not a text`, or an empty text."""
    if isinstance(form, list):
        if not isinstance(value, list):
            return f"{place} is not a list"
        inside = (check(one, form[0], f"{place}[{number}]") for number, one in enumerate(value))
        return next(filter(None, inside), "")
    if not isinstance(form, type):
        if not isinstance(value, dict):
            return f"{place} is not a mapping"
        fields = (
            check(value[key], form[key], f"{place}.{key}") for key in form if key in value and value[key] is not None
        )
        return next(filter(None, fields), "")
    return "" if isinstance(value, form) else f"{place} is not {_WORDS[form]}"
