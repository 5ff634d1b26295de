"""Limits of responses. Each is well above those of any real server, and stops a broken or hostile one."""

from __future__ import annotations

MIB = 2**20

HEAD = MIB
"""Bytes of a response head, with the interim responses (1xx) before it. A real server sends at most 4 KiB of warnings,
and Go accepts heads of 1 MiB.
"""
HEADERS = 1000
"""Headers of a response. A server sends one for each field with a warning, and Python accepts 100 by default."""
LARGEST = 512 * MIB
"""Bytes of a response, before and after decompression: 500 objects of 1 MiB, such as Helm releases, are legal."""
EVENT = 16 * MIB
"""Bytes of a watch event, which contains one object. etcd stores objects of at most 1.5 MiB."""
REFUSAL = 4 * MIB
"""Bytes of an error response. It quotes the request, which may have 3 MiB."""
VALUES = 10_000_000
"""Values in the JSON of a response. Each takes about 100 bytes of memory here, and may be 3 bytes long on the wire."""
GRACE, SLOWEST = 60.0, 8192
"""Seconds that any response may take, and bytes per second that extend them. A server that sends a byte now and then is
never silent, and would otherwise never end.
"""
WARNINGS, WARNING = 1000, 4096
"""Warnings of one response that are shown, and the length of one. Real ones have at most 4 KiB together."""
PAGES, SPARSE_PAGES, FULL_PAGE = 20_000, 200, 50
"""Pages of a list, and the number of pages that may contain fewer than 50 new objects on average. A real server fills
pages of 500.
"""
VERSIONS = 5000
"""API versions of a server. A cluster with many operators has a few hundred."""
EMPTY_STREAMS, SOON = 10, 1.0
"""Consecutive watches that may end within this many seconds and without an event. Real servers keep one open for
minutes.
"""
