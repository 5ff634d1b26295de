"""Functions of CEL and the Kubernetes libraries: their overloads with identifiers and types."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from .environments import NEWEST, first_environment
from .types import Type

TEXT = """
logical_not: !_(bool) bool
negate_double: -_(double) double
negate_int64: -_(int) int
in_list: @in(A, list(A)) bool
in_map: @in(A, map(A, B)) bool
not_strictly_false: @not_strictly_false(bool) bool
not_equals: _!=_(A, A) bool
modulo_int64: _%_(int, int) int
modulo_uint64: _%_(uint, uint) uint
logical_and: _&&_(bool, bool) bool
multiply_double: _*_(double, double) double
multiply_int64: _*_(int, int) int
multiply_uint64: _*_(uint, uint) uint
add_bytes: _+_(bytes, bytes) bytes
add_double: _+_(double, double) double
add_duration_duration: _+_(duration, duration) duration
add_duration_timestamp: _+_(duration, timestamp) timestamp
add_timestamp_duration: _+_(timestamp, duration) timestamp
add_int64: _+_(int, int) int
add_list: _+_(list(A), list(A)) list(A)
add_string: _+_(string, string) string
add_uint64: _+_(uint, uint) uint
subtract_double: _-_(double, double) double
subtract_duration_duration: _-_(duration, duration) duration
subtract_int64: _-_(int, int) int
subtract_timestamp_duration: _-_(timestamp, duration) timestamp
subtract_timestamp_timestamp: _-_(timestamp, timestamp) duration
subtract_uint64: _-_(uint, uint) uint
divide_double: _/_(double, double) double
divide_int64: _/_(int, int) int
divide_uint64: _/_(uint, uint) uint
equals: _==_(A, A) bool
select_optional_field: _?._(dyn, string) optional(V)
conditional: _?_:_(bool, A, A) A
list_optindex_optional_int: _[?_](list(V), int) optional(V)
optional_list_optindex_optional_int: _[?_](optional(list(V)), int) optional(V)
map_optindex_optional_value: _[?_](map(K, V), K) optional(V)
optional_map_optindex_optional_value: _[?_](optional(map(K, V)), K) optional(V)
index_list: _[_](list(A), int) A
index_map: _[_](map(A, B), A) B
optional_list_index_int: _[_](optional(list(V)), int) optional(V)
optional_map_index_value: _[_](optional(map(K, V)), K) optional(V)
logical_or: _||_(bool, bool) bool
quantity_add: quantity.add(quantity) quantity
quantity_add_int: quantity.add(int) quantity
quantity_get_float: quantity.asApproximateFloat() double
quantity_get_int: quantity.asInteger() int
bool_to_bool: bool(bool) bool
string_to_bool: bool(string) bool
bytes_to_bytes: bytes(bytes) bytes
string_to_bytes: bytes(string) bytes
@mapInsert_map_key_value: cel.@mapInsert(map(K, V), K, V) map(K, V)
@mapInsert_map_map: cel.@mapInsert(map(K, V), map(K, V)) map(K, V)
string_char_at_int: string.charAt(int) string
string_to_cidr: cidr(string) cidr
quantity_compare_to: quantity.compareTo(quantity) int
semver_compare_to: semver.compareTo(semver) int
contains_string: string.contains(string) bool
cidr_contains_cidr_string: cidr.containsCIDR(string) bool
cidr_contains_cidr: cidr.containsCIDR(cidr) bool
cidr_contains_ip_string: cidr.containsIP(string) bool
cidr_contains_ip_ip: cidr.containsIP(ip) bool
list_distinct: list(T).distinct() list(T)
double_to_double: double(double) double
int64_to_double: double(int) double
string_to_double: double(string) double
uint64_to_double: double(uint) double
duration_to_duration: duration(duration) duration
string_to_duration: duration(string) duration
to_dyn: dyn(A) dyn
ends_with_string: string.endsWith(string) bool
authorizer_path: authorizer.path(string) path_check
authorizer_group: authorizer.group(string) group_check
authorizer_serviceaccount: authorizer.serviceAccount(string, string) authorizer
groupcheck_resource: group_check.resource(string) resource_check
resourcecheck_subresource: resource_check.subresource(string) resource_check
resourcecheck_namespace: resource_check.namespace(string) resource_check
resourcecheck_name: resource_check.name(string) resource_check
pathcheck_check: path_check.check(string) decision
resourcecheck_check: resource_check.check(string) decision
authorizer_fieldselector: resource_check.fieldSelector(string) resource_check
authorizer_labelselector: resource_check.labelSelector(string) resource_check
decision_errored: decision.errored() bool
decision_error: decision.error() string
decision_allowed: decision.allowed() bool
decision_reason: decision.reason() string
string_jsonpatch_escapeKey_string: jsonpatch.escapeKey(string) string
ip_family: ip.family() int
string_find_string: string.find(string) string
string_find_all_string: string.findAll(string) list(string)
string_find_all_string_int: string.findAll(string, int) list(string)
list_first: list(V).first() optional(V)
list_flatten: list(list(T)).flatten() list(T)
list_flatten_int: list(dyn).flatten(int) list(dyn)
string_format: string.format(list(dyn)) string
format-named: format.named(string) optional(format)
timestamp_to_day_of_month_1_based: timestamp.getDate() int
timestamp_to_day_of_month_1_based_with_tz: timestamp.getDate(string) int
timestamp_to_day_of_month: timestamp.getDayOfMonth() int
timestamp_to_day_of_month_with_tz: timestamp.getDayOfMonth(string) int
timestamp_to_day_of_week: timestamp.getDayOfWeek() int
timestamp_to_day_of_week_with_tz: timestamp.getDayOfWeek(string) int
timestamp_to_day_of_year: timestamp.getDayOfYear() int
timestamp_to_day_of_year_with_tz: timestamp.getDayOfYear(string) int
url_get_escaped_path: url.getEscapedPath() string
timestamp_to_year: timestamp.getFullYear() int
timestamp_to_year_with_tz: timestamp.getFullYear(string) int
url_get_host: url.getHost() string
url_get_hostname: url.getHostname() string
timestamp_to_hours: timestamp.getHours() int
timestamp_to_hours_with_tz: timestamp.getHours(string) int
duration_to_hours: duration.getHours() int
timestamp_to_milliseconds: timestamp.getMilliseconds() int
timestamp_to_milliseconds_with_tz: timestamp.getMilliseconds(string) int
duration_to_milliseconds: duration.getMilliseconds() int
timestamp_to_minutes: timestamp.getMinutes() int
timestamp_to_minutes_with_tz: timestamp.getMinutes(string) int
duration_to_minutes: duration.getMinutes() int
timestamp_to_month: timestamp.getMonth() int
timestamp_to_month_with_tz: timestamp.getMonth(string) int
url_get_port: url.getPort() string
url_get_query: url.getQuery() map(string, list(string))
url_get_scheme: url.getScheme() string
timestamp_to_seconds: timestamp.getSeconds() int
timestamp_to_seconds_tz: timestamp.getSeconds(string) int
duration_to_seconds: duration.getSeconds() int
optional_hasValue: optional(V).hasValue() bool
list_a_index_of_int: list(A).indexOf(A) int
string_index_of_string: string.indexOf(string) int
string_index_of_string_int: string.indexOf(string, int) int
int64_to_int64: int(int) int
double_to_int64: int(double) int
duration_to_int64: int(duration) int
string_to_int64: int(string) int
timestamp_to_int64: int(timestamp) int
uint64_to_int64: int(uint) int
string_to_ip: ip(string) ip
cidr_ip: cidr.ip() ip
ip_is_canonical: ip.isCanonical(string) bool
is_cidr: isCIDR(string) bool
ip_is_global_unicast: ip.isGlobalUnicast() bool
quantity_is_greater_than: quantity.isGreaterThan(quantity) bool
semver_is_greater_than: semver.isGreaterThan(semver) bool
is_ip: isIP(string) bool
quantity_is_integer: quantity.isInteger() bool
quantity_is_less_than: quantity.isLessThan(quantity) bool
semver_is_less_than: semver.isLessThan(semver) bool
ip_is_link_local_multicast: ip.isLinkLocalMulticast() bool
ip_is_link_local_unicast: ip.isLinkLocalUnicast() bool
ip_is_loopback: ip.isLoopback() bool
is_quantity_string: isQuantity(string) bool
is_semver_string: isSemver(string) bool
is_semver_string_bool: isSemver(string, bool) bool
is_url_string: isURL(string) bool
ip_is_unspecified: ip.isUnspecified() bool
list_join: list(string).join() string
list_join_string: list(string).join(string) string
list_last: list(V).last() optional(V)
list_a_last_index_of_int: list(A).lastIndexOf(A) int
string_last_index_of_string: string.lastIndexOf(string) int
string_last_index_of_string_int: string.lastIndexOf(string, int) int
lists_range: lists.range(int) list(int)
string_lower_ascii: string.lowerAscii() string
semver_major: semver.major() int
cidr_masked: cidr.masked() cidr
matches: matches(string, string) bool
matches_string: string.matches(string) bool
semver_minor: semver.minor() int
optional_none: optional.none() optional(V)
optional_of: optional.of(V) optional(V)
optional_ofNonZeroValue: optional.ofNonZeroValue(V) optional(V)
optional_unwrap: optional.unwrap(list(optional(V))) list(V)
optional_or_optional: optional(V).or(optional(V)) optional(V)
optional_orValue_value: optional(V).orValue(V) V
semver_patch: semver.patch() int
cidr_prefix_length: cidr.prefixLength() int
string_to_quantity: quantity(string) quantity
string_replace_string_string: string.replace(string, string) string
string_replace_string_string_int: string.replace(string, string, int) string
list_reverse: list(T).reverse() list(T)
string_to_semver: semver(string) semver
string_bool_to_semver: semver(string, bool) semver
list_sets_contains_list: sets.contains(list(T), list(T)) bool
list_sets_equivalent_list: sets.equivalent(list(T), list(T)) bool
list_sets_intersects_list: sets.intersects(list(T), list(T)) bool
quantity_sign: sign(quantity) int
size_bytes: size(bytes) int
bytes_size: bytes.size() int
size_list: size(list(A)) int
list_size: list(A).size() int
size_map: size(map(A, B)) int
map_size: map(A, B).size() int
size_string: size(string) int
string_size: string.size() int
list_slice: list(T).slice(int, int) list(T)
string_split_string: string.split(string) list(string)
string_split_string_int: string.split(string, int) list(string)
starts_with_string: string.startsWith(string) bool
string_to_string: string(string) string
bool_to_string: string(bool) string
bytes_to_string: string(bytes) string
double_to_string: string(double) string
duration_to_string: string(duration) string
int64_to_string: string(int) string
timestamp_to_string: string(timestamp) string
uint64_to_string: string(uint) string
ip_to_string: string(ip) string
cidr_to_string: string(cidr) string
strings_quote: strings.quote(string) string
quantity_sub: quantity.sub(quantity) quantity
quantity_sub_int: quantity.sub(int) quantity
string_substring_int: string.substring(int) string
string_substring_int_int: string.substring(int, int) string
timestamp_to_timestamp: timestamp(timestamp) timestamp
int64_to_timestamp: timestamp(int) timestamp
string_to_timestamp: timestamp(string) timestamp
string_trim: string.trim() string
type: type(A) type(A)
uint64_to_uint64: uint(uint) uint
double_to_uint64: uint(double) uint
int64_to_uint64: uint(int) uint
string_to_uint64: uint(string) uint
optional_unwrapOpt: list(optional(V)).unwrapOpt() list(V)
string_upper_ascii: string.upperAscii() string
string_to_url: url(string) url
format-validate: format.validate(string) optional(list(string))
optional_value: optional(V).value() V
"""
"""Each line is the identifier of an overload in cel-go or Kubernetes, its signature, and the type of the result."""
COMPARABLE = ("int", "uint", "double", "bool", "duration", "timestamp", "string", "bytes")
FAMILIES = {
    COMPARABLE: """
list_{0}_sort: list({0}).sort() list({0})
list_{0}_sortByAssociatedKeys: list(T).@sortByAssociatedKeys(list({0})) list(T)
list_{0}_is_sorted_bool: list({0}).isSorted() bool
list_{0}_max_{0}: list({0}).max() {0}
list_{0}_min_{0}: list({0}).min() {0}
""",
    ("int", "uint", "double", "duration"): "list_{0}_sum_{0}: list({0}).sum() {0}",
}
"""Overloads that exist for several types."""
FORMATS = (
    "dns1123Label",
    "dns1123Subdomain",
    "dns1035Label",
    "qualifiedName",
    "dns1123LabelPrefix",
    "dns1123SubdomainPrefix",
    "dns1035LabelPrefix",
    "labelValue",
    "uri",
    "uuid",
    "byte",
    "date",
    "datetime",
)
ORDER = {"_<_": "less", "_<=_": "less_equals", "_>_": "greater", "_>=_": "greater_equals"}
NUMBERS = ("int64", "uint64", "double")
ORDERED = ("bool", *NUMBERS, "string", "bytes", "timestamp", "duration")
NAMES = {
    "optional": "optional_type",
    "url": "kubernetes.URL",
    "quantity": "kubernetes.Quantity",
    "ip": "net.IP",
    "cidr": "net.CIDR",
    "semver": "kubernetes.Semver",
    "format": "kubernetes.NamedFormat",
    "authorizer": "kubernetes.authorization.Authorizer",
    "path_check": "kubernetes.authorization.PathCheck",
    "group_check": "kubernetes.authorization.GroupCheck",
    "resource_check": "kubernetes.authorization.ResourceCheck",
    "decision": "kubernetes.authorization.Decision",
    "int64": "int",
    "uint64": "uint",
}
AUTHORIZER, RESOURCE_CHECK = Type(NAMES["authorizer"]), Type(NAMES["resource_check"])
STRUCTS = frozenset(one for one in NAMES.values() if one.startswith("kubernetes."))
"""Types of Kubernetes that are messages in cel-go. The others are opaque."""


class Overload(NamedTuple):
    """One overload of a function. Letters stand for any type."""

    id: str
    member: bool
    takes: tuple[Type, ...]
    gives: Type
    has_letters: bool = True


@lru_cache(maxsize=16)
def overloads(environment: int = NEWEST) -> dict[str, list[Overload]]:
    """Return the overloads of an environment by function name, in the order of a server."""
    if environment != NEWEST:
        known = {
            name: [one for one in forms if first_environment(one.id) <= environment]
            for name, forms in overloads().items()
        }
        return {name: forms for name, forms in known.items() if forms}
    found: dict[str, list[Overload]] = {}
    lines = TEXT.strip().splitlines()
    for types, family in FAMILIES.items():
        lines += [line.format(one) for line in family.strip().splitlines() for one in types]
    lines += [f"format.{name}: format.{name}() format" for name in FORMATS]
    for line in lines:
        name, one = _read(line)
        found.setdefault(name, []).append(one)
    for sign, name in ORDER.items():
        found[sign] = [_ordered(name, one, other) for one in ORDERED for other in _compared_with(one)]
    return found


def _compared_with(one: str) -> tuple[str, ...]:
    if one not in NUMBERS:
        return (one,)
    rest = [other for other in ("int64", "double", "uint64") if other != one]
    if one == "uint64":
        rest.reverse()
    return (one, *rest)


def _ordered(name: str, one: str, other: str) -> Overload:
    ident = f"{name}_{one}" if one == other else f"{name}_{one}_{other}"
    return Overload(ident, False, (_type(one), _type(other)), Type("bool"), has_letters=False)


def _read(line: str) -> tuple[str, Overload]:
    ident, _, signature = line.partition(": ")
    end = signature.rindex(") ")
    start, depth = end, 0
    while True:
        depth += {")": 1, "(": -1}.get(signature[start], 0)
        if depth == 0:
            break
        start -= 1
    takes, gives = tuple(map(_type, _arguments(signature[start + 1 : end]))), _type(signature[end + 2 :])
    head = signature[:start]
    target, dot, name = head.rpartition(".")
    member = bool(dot) and (target.endswith(")") or target in RECEIVERS) and head not in QUALIFIED
    if member:
        takes = (_type(target), *takes)
    return name if member else head, Overload(ident, member, takes, gives, any(map(_has_letters, (*takes, gives))))


def _has_letters(one: Type) -> bool:
    return len(one.name) == 1 or any(map(_has_letters, one.inner))


RECEIVERS = frozenset(
    "string bytes timestamp duration url quantity ip cidr semver format "  # noqa: SIM905 - one line
    "authorizer path_check group_check resource_check decision".split()
)
QUALIFIED = frozenset(("ip.isCanonical", "format.named", *(f"format.{name}" for name in FORMATS)))
"""Functions with a dot in their names that look like methods."""
PATCH_FUNCTIONS = frozenset(("jsonpatch.escapeKey",))
"""Functions that only patches of admission policies have."""


def _arguments(text: str) -> list[str]:
    found, depth, start = [], 0, 0
    for at, char in enumerate(text):
        depth += {"(": 1, ")": -1}.get(char, 0)
        if char == "," and depth == 0:
            found.append(text[start:at].strip())
            start = at + 1
    return [*found, text[start:].strip()] if text.strip() else []


def _type(text: str) -> Type:
    name, bracket, inside = text.partition("(")
    inner = tuple(map(_type, _arguments(inside[:-1]))) if bracket else ()
    return Type(NAMES.get(name, name), inner)
