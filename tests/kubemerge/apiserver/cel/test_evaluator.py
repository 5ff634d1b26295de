"""CEL expressions: values, errors, and cost limits."""

from __future__ import annotations

from typing import Any

import pytest

from kubemerge.apiserver.cel.language.types import INT, STRING, list_of, map_of
from kubemerge.apiserver.cel.meter import DeadlineExceeded, Meter, TooExpensive, deadline
from kubemerge.apiserver.cel.programs import Refused, compile_expression, evaluate
from kubemerge.apiserver.cel.values import CelError, plain

SELF = {"a": 1, "l": [1, 2, 3], "s": "hello", "m": {"x": 1}, "n": None, "nines": "9" * 5000 + "h"}
TRUE = """
1 + 2 == 3
-5 / 2 == -2 && -5 % 2 == -1
1.5 + 1.5 == 3.0
'a' + 'b' == 'ab' && b'a' + b'b' == b'ab'
[1] + [2] == [1, 2]
1 < 2.5 && 2u > 1
self.a == 1 && self.m.x == 1 && self['a'] == 1
has(self.a) && !has(self.z) && has(self.m.x)
self.?z.orValue(5) == 5 && self.?a.value() == 1 && !self.?z.hasValue()
self.?z.or(self.?a).value() == 1 && optional.of(1).optMap(x, x + 1).value() == 2
self.z == 1 || true
!(false && self.z == 1)
!(dyn(1) in {true: 'a'}) && !(dyn(false) in {0: 'a'})
self.l.all(x, x > 0) && self.l.exists(x, x == 2) && self.l.exists_one(x, x == 2)
self.l.map(x, x * 2) == [2, 4, 6] && self.l.map(x, x > 1, x) == [2, 3] && self.l.filter(x, x > 2) == [3]
self.m.all(k, k == 'x') && self.m.all(k, v, v == 1) && self.m.exists(k, v, k == 'x')
{'a': 1}.transformMap(k, v, v + 1) == {'a': 2} && [1, 2].transformList(i, v, i + v) == [1, 3]
{'a': 'b'}.transformMapEntry(k, v, {v: k}) == {'b': 'a'}
[3, 1, 2].sort() == [1, 2, 3] && ['b', 'aa'].sortBy(x, x.size()) == ['b', 'aa'] && [1, 1].distinct() == [1]
[[1], [2]].flatten() == [1, 2] && [1, 2, 3].slice(0, 2) == [1, 2] && lists.range(3) == [0, 1, 2]
[1, 2].sum() == 3 && [1, 2].max() == 2 && [1, 2].min() == 1 && [1, 2].isSorted() && [1, 2].indexOf(2) == 1
[1, 2, 3].reverse() == [3, 2, 1] && [1].first().value() == 1 && !dyn([]).last().hasValue()
sets.contains([1, 2], [1]) && sets.equivalent([1, 1], [1]) && !sets.intersects([1], [2])
'a' in ['a'] && 'x' in self.m && !(1 in [])
size('äb') == 2 && 'ab'.size() == 2 && size({'a': 1}) == 1 && size(b'ä') == 2
self.s.startsWith('h') && self.s.endsWith('o') && self.s.contains('ell') && self.s.matches('^h.*o$')
'abc'.find('[b-c]+') == 'bc' && 'a1b22'.findAll('[0-9]+') == ['1', '22'] && 'a1b2'.findAll('[0-9]', 1) == ['1']
'abc'.charAt(1) == 'b' && 'abcb'.indexOf('b') == 1 && 'abcb'.lastIndexOf('b') == 3 && 'aB'.lowerAscii() == 'ab'
'a-b'.split('-') == ['a', 'b'] && ['a', 'b'].join('-') == 'a-b' && 'aa'.replace('a', 'b', 1) == 'ba'
' a '.trim() == 'a' && 'abc'.substring(1) == 'bc' && 'abc'.substring(1, 2) == 'b' && 'aB'.upperAscii() == 'AB'
'%s %d %.2f %x'.format(['a', 1, 1.5, 255]) == 'a 1 1.50 ff' && strings.quote('a"b') == '"a\\\\"b"'
int('5') == 5 && uint(5) == 5u && double('1.5') == 1.5 && string(5) == '5' && bool('true') && bytes('a') == b'a'
string(1.0) == '1' && string(true) == 'true' && int(1.9) == 1
type(1) == int && type('a') == string && type([]) == list
timestamp('2024-02-29T10:00:00Z').getDayOfMonth() == 28 && timestamp('2024-01-01T00:00:00Z').getFullYear() == 2024
timestamp('2024-01-01T00:00:00Z') + duration('1h') == timestamp('2024-01-01T01:00:00Z')
timestamp('2024-01-01T02:00:00Z') - timestamp('2024-01-01T00:00:00Z') == duration('2h')
duration('1h30m').getMinutes() == 90 && duration('1h') > duration('59m') && string(duration('90s')) == '90s'
quantity('1Gi').isGreaterThan(quantity('1M')) && quantity('1k').asInteger() == 1000 && isQuantity('5m')
quantity('1').add(quantity('500m')).compareTo(quantity('1500m')) == 0 && sign(quantity('-1')) == -1
ip('10.0.0.1').family() == 4 && isIP('::1') && !isIP('1.2.3') && ip('127.0.0.1').isLoopback()
ip.isCanonical('::1') && !ip.isCanonical('0:0::1')
cidr('10.0.0.0/8').containsIP('10.1.1.1') && cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && isCIDR('::/0')
cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8') && cidr('10.0.0.0/8').prefixLength() == 8
url('https://a.b:80/x?q=1').getPort() == '80' && url('https://a.b/x').getHost() == 'a.b' && !isURL('a b')
url('https://u@[::1]:8/x%20y?q=1&q=2').getHostname() == '::1' && url('/a?b=c').getQuery() == {'b': ['c']}
semver('1.2.3').isLessThan(semver('1.10.0')) && semver('1.0.0-a').isLessThan(semver('1.0.0')) && isSemver('v1', true)
!format.dns1123Label().validate('a').hasValue() && format.named('uuid').value().validate('x').hasValue()
{'a': 1, ?'b': optional.of(1)} == {'a': 1, 'b': 1} && [1, ?optional.of(2)] == [1, 2]
{'a': 1, 'a': 2} == {'a': 2} && self.`a` == 1 && has(self.`m`)
'%e %f'.format([1234.5, 1234.5]) == '1.234500\u00d710⁰³ 1,234.500000'
string(timestamp('2024-01-01T00:00:00+02:00')) == '2024-01-01T00:00:00+02:00'
r'\\d' == '\\\\d' && '\\u0041' == 'A' && '''a''' == "a"
true ? true : self.z
"""
ERRORS: dict[str, str] = {
    "self.z": "no such key: z",
    "1 / 0 == 1": "division by zero",
    "1 % 0 == 1": "modulus by zero",
    "9223372036854775807 + 1 == 0": "integer overflow",
    "[1][5] == 1": "index out of bounds: 5",
    "dyn('a') + dyn(1) == 1": "no such overload",
    "dyn(1).matches('a')": "no such overload",
    "dyn(1).matches(self.s)": "no such overload: matches",
    "dyn(1).find('a') == ''": "no such overload",
    "dyn(1).find(self.s) == ''": "no such overload: find(int, string)",
    "dyn([1]).findAll('a') == []": "no such overload",
    "semver('1.0.0').isGreaterThan(dyn(1))": "no such overload: isGreaterThan(kubernetes.Semver, int)",
    "dyn(1).isLessThan(semver('1.0.0'))": "no such overload: isLessThan(int, kubernetes.Semver)",
    "dyn(quantity('1')).compareTo(semver('1.0.0')) == 1": (
        "no such overload: compareTo(kubernetes.Quantity, kubernetes.Semver)"
    ),
    "int(self.s) == 1": "type conversion error from 'string' to 'int'",
    "duration(self.s) == duration('1s')": "type conversion error from 'string' to 'google.protobuf.Duration'",
    "duration(self.nines) == duration('1s')": "type conversion error from 'string' to 'google.protobuf.Duration'",
    "int(self.nines.replace('h', '')) == 1": "type conversion error from 'string' to 'int'",
    "optional.none().value()": "optional.none() dereference",
    "'a'.substring(3) == ''": "index out of range: 3",
    "[].max() == 1": "max called on empty list",
    "'a'.find(self.s + '[') == ''": "Illegal regex: error parsing regexp: missing closing ]: `[`",
    "'a'.matches(self.s + '[')": "error parsing regexp: missing closing ]: `[`",
}


def value(text: str) -> Any:
    return evaluate(text, {"self": plain(SELF)})[0]


@pytest.mark.parametrize("text", TRUE.strip().splitlines())
def test_it_is_true(text: str) -> None:
    assert value(text) is True


@pytest.mark.parametrize("text", ERRORS)
def test_it_has_no_value(text: str) -> None:
    with pytest.raises(CelError) as caught:
        value(text)
    assert str(caught.value) == ERRORS[text]


REFUSED: dict[str, str] = {
    "int('x') == 1": "program instantiation failed: type conversion error from 'string' to 'int'",
    "uint(-1) == 1u": "program instantiation failed: unsigned integer overflow",
    "duration('x') == duration('1s')": "invalid duration argument",
    "'a'.matches('[')": "invalid matches argument",
    "'a'.matches('(?=a)')": "invalid matches argument",
    "'a'.find('[') == ''": "program instantiation failed: error parsing regexp: missing closing ]: `[`",
    "'%z'.format([1]) == ''": 'could not parse formatting clause: unrecognized formatting clause "z"',
    "'%d'.format(['a']) == ''": "decimal clause can only be used on integers, was given string",
    "'%s'.format([1, 2]) == ''": "too many arguments supplied to string.format (expected 1, got 2)",
    "quantity('-5').sign() == -1": "found no matching overload for 'sign' applied to 'kubernetes.Quantity.()'",
    "[1, 'a'].size() == 2": "expected type 'int' but found 'string'",
    "{'a': 1, 'b': 'c'}.size() == 2": "expected type 'int' but found 'string'",
    "[1].map(x, __result__) == [1]": "undeclared reference to '__result__'",
}


@pytest.mark.parametrize("text", REFUSED)
def test_constants_are_judged_beforehand(text: str) -> None:
    with pytest.raises(Refused) as caught:
        value(text)
    assert REFUSED[text] in str(caught.value)


# ---- depth: the same limits as in cel-go -----------------------------------------------------------------------------

DEEP: dict[str, tuple[str, str]] = {
    "parentheses": ("(" * 249 + "true" + ")" * 249, "(" * 250 + "true" + ")" * 250),
    "sums": ("+".join(["1"] * 250) + " == 250", "+".join(["1"] * 251) + " == 251"),
    "lists": ("[" * 250 + "]" * 250 + " != [[]]", "[" * 251 + "]" * 251 + " == []"),
    "calls": ("dyn(" * 249 + "1" + ")" * 249 + " == 1", "dyn(" * 250 + "1" + ")" * 250 + " == 1"),
    "choices": ("true?true:" * 249 + "true", "true?true:" * 250 + "true"),
    "mixed": ("[1].indexOf(1+" * 124 + "1" + ")" * 124 + " == -1", "[1].indexOf(1+" * 125 + "1" + ")" * 125 + " == -1"),
}


@pytest.mark.parametrize("name", DEEP)
def test_expressions_nest_as_deeply_as_on_a_server(name: str) -> None:
    deepest, too_deep = DEEP[name]
    if name == "lists":
        assert compile_expression(deepest.partition(" ")[0], {}).checked.type.name == "list"
    else:
        assert value(deepest) is True
    with pytest.raises(Refused, match="recursion"):
        value(too_deep)


def test_terms_of_logic_are_many() -> None:
    assert value(" && ".join(["true"] * 5000)) is True


def test_copies_of_targets_have_a_limit() -> None:
    with pytest.raises(Refused, match="too large"):
        value("optional.of(1)" + ".optMap(x, x)" * 40 + ".hasValue()")


# ---- costs -----------------------------------------------------------------------------------------------------------

EXPENSIVE = {
    "self.l.map(x, x).filter(y, y in self.l).size() >= 0": 4000,
    "self.l.all(x, self.l == self.l)": 4000,
    "self.l.all(x, self.l.all(y, x + y >= 0))": 1000,
    "self.l.map(x, self.l + self.l).size() > 0": 100_000,
    "sets.contains(self.l, self.l)": 2000,
    "self.l.distinct().size() > 0": 1000,
    "self.l.sort().size() > 0": 1000,
    "lists.range(1000).all(x, lists.range(1000).all(y, x + y >= 0))": 1,
}


CHEAPEST = {"self.l.map(x, self.l + self.l).size() > 0", "self.l.distinct().size() > 0", "self.l.sort().size() > 0"}


@pytest.mark.parametrize(
    "text", [one if one in CHEAPEST else pytest.param(one, marks=pytest.mark.slow) for one in EXPENSIVE]
)
def test_what_costs_too_much_ends(text: str) -> None:
    program = compile_expression(text, {"self": map_of(STRING, list_of(INT))})
    with pytest.raises(TooExpensive):
        program.evaluate({"self": plain({"l": list(range(EXPENSIVE[text]))})}, Meter())


HUGE = [
    "'%.10000000f'.format([1.0]).size() > 0 || '%.10000000f%.10000000f%.10000000f'.format([1.0,1.0,1.0]) == ''",
    "self.s.replace('', self.s).size() > 0",
    "self.l.map(x, self.s).join(self.s).size() > 0",
    "[self.big, self.big, self.big, self.big, self.big, self.big, self.big, self.big].flatten().size() > 0",
]


@pytest.mark.parametrize("text", [*HUGE[:-1], pytest.param(HUGE[-1], marks=pytest.mark.slow)])
def test_nothing_large_is_made(text: str) -> None:
    """A server creates these texts and lists, and runs out of memory."""
    given = {"s": "x" * 20_000, "l": list(range(5000)), "big": [0] * 1_000_000}
    meter = Meter(2**63)
    program = compile_expression(text, {"self": compile_expression("dyn(1)", {}).checked.type})

    def evaluate_often() -> None:
        for _ in range(20):
            program.evaluate({"self": plain(given)}, meter)

    with pytest.raises(TooExpensive):
        evaluate_often()


def test_a_precision_without_bounds_makes_nothing() -> None:
    assert value("'%.1000000000f'.format([1.0]) == '%!(NOVERB)'") is True


def test_the_deadline_of_a_request_ends_an_evaluation() -> None:
    with deadline(-1.0), pytest.raises(DeadlineExceeded):
        value("lists.range(10000).all(x, x >= 0)")


@pytest.mark.parametrize("text", ["self.l.all(x, x >= 0)", "self.l.map(x, x + 1).filter(x, x > 0).size() > 0"])
def test_the_work_grows_with_the_length_of_a_list_and_no_faster(text: str) -> None:
    few, many = (evaluate(text, {"self": plain({"l": list(range(count))})})[1] for count in (1000, 4000))
    assert few < many <= 4 * few


def test_types_of_variables_choose_the_cost() -> None:
    """If the types select the function, a list costs its length. If not, a server charges 1."""
    known = compile_expression("'a' in self", {"self": list_of(STRING)})
    meter = Meter()
    assert known.evaluate({"self": ["b"] * 50}, meter) is False
    assert meter.spent == 51
    assert evaluate("'a' in self", {"self": ["b"] * 50})[1] == 2
