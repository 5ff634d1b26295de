"""Pod indexes of a Job, as `1,3-5`."""

from __future__ import annotations

MOST = 2**63


def parse_indexes(written: str, completions: int) -> tuple[int, str]:
    """Return the number of indexes, and the server's message about the problem, if any."""
    total, last = 0, None
    for part in written.split(",") if written else ():
        bounds, why = parse_interval(part, completions)
        if bounds is None:
            return 0, why
        low, high = bounds
        if last is not None and last >= low:
            return 0, f"non-increasing order, previous: {last}, current: {low}"
        total, last = total + high - low + 1, high
    return total, ""


def parse_interval(part: str, completions: int) -> tuple[tuple[int, int] | None, str]:
    """Return the bounds of one interval, or the server's message about the problem."""
    bounds = part.split("-")
    if len(bounds) > 2:
        rule = "violates the requirement that an index interval can have at most two parts separated by '-'"
        return None, f'the fragment "{part}" {rule}'
    numbers: list[int] = []
    for one in bounds:
        digits = one[1:] if one.startswith("+") else one
        if not (digits.isascii() and digits.isdigit()) or int(digits) >= MOST:
            return None, f'cannot convert string to integer for index: "{one}"'
        if int(digits) >= completions:
            return None, f'too large index: "{one}"'
        numbers.append(int(digits))
    low, high = numbers[0], numbers[-1]
    if len(numbers) == 2 and low >= high:
        return None, f"non-increasing order, previous: {low}, current: {high}"
    return (low, high), ""


def first_overlap(completed: str, failed: str, completions: int) -> int | None:
    """Return the first index in both lists. Invalid intervals are skipped."""
    left, right = (_intervals(one, completions) for one in (completed, failed))
    at = of = 0
    while at < len(left) and of < len(right):
        (low, high), (other_low, other_high) = left[at], right[of]
        if low <= other_high and other_low <= high:
            return max(low, other_low)
        if low <= other_low:
            at += 1
        else:
            of += 1
    return None


def _intervals(written: str, completions: int) -> list[tuple[int, int]]:
    read = [parse_interval(part, completions)[0] for part in written.split(",")] if written else []
    return [bounds for bounds in read if bounds is not None]
