"""Atomic writes: a reader sees the whole old text or the whole new text."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

_ALL, _OWN = 0o666, 0o600
_OTHERS = stat.S_IRWXG | stat.S_IRWXO


def replace_file(path: Path, text: str, *, private: bool = False) -> bool:
    """Replace the file if its bytes differ; whether they did.

    A link stays, and the file behind it is replaced. That file keeps its permissions; a new one gets what the umask
    allows. A `private` one is its owner's alone in any case. What is not a file is never replaced.
    """
    data = text.encode()
    found = _file_at(path)
    mode = None if found is None else stat.S_IMODE(found.st_mode)
    if mode is not None and path.read_bytes() == data and not (private and mode & _OTHERS):
        return False
    path = Path(os.path.realpath(path))
    name = str(path.with_name(f".kubemerge-{os.urandom(6).hex()}"))
    handle = os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _OWN if private or found else _ALL)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if found and os.name == "posix":
            with suppress(OSError):  # only root can give a file away
                os.chown(name, found.st_uid, found.st_gid)
        if private or mode is not None:
            os.chmod(name, (_OWN if mode is None else mode) & ~(_OTHERS if private else 0))  # noqa: PTH101
        os.replace(name, path)  # noqa: PTH105 - the name is a str
    except BaseException:
        os.unlink(name)  # noqa: PTH108
        raise
    return True


def _file_at(path: Path) -> os.stat_result | None:
    """What is known of the file, None if there is none; an error if it is not a file, or must not be written."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "this is not a file", str(path))
    if not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    return found
