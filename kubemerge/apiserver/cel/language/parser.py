"""The parser. Its tree contains no macros."""

from __future__ import annotations

from functools import lru_cache

from ...regex.large_stack import with_large_stack
from . import macros
from .environments import NEWEST, OPTIONAL_SYNTAX, has_macro
from .lexer import RESERVED, Token, tokenize
from .tree import CALL, CONST, IDENT, LIST, MAP, SELECT, STRUCT, CelSyntaxError, Expr, Field

RELATIONS = frozenset(("<", "<=", ">=", ">", "==", "!=", "in"))
CALCULATIONS = {"+": 1, "-": 1, "*": 2, "/": 2, "%": 2}
"""Arithmetic operators. A higher number binds more tightly."""
OPERATORS = RELATIONS | CALCULATIONS.keys() - {"-"} | {"&&", "||", "?"}
"""Operators that need an operand before them."""
_STARTS = ("[", "{", "(", ".", "-", "!")
_VALUES = "'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER"
AN_EXPRESSION = f"{{{', '.join(map(repr, _STARTS))}, {_VALUES}}}"
AN_INDEX = f"{{{', '.join(map(repr, _STARTS))}, '?', {_VALUES}}}"
AN_ARGUMENT = AN_EXPRESSION.replace("'('", "'(', ')'")
AN_ELEMENT = AN_INDEX.replace("'['", "'[', ']'").replace("'.'", "'.', ','")
AN_ENTRY = AN_INDEX.replace("'{'", "'{', '}'").replace("'.'", "'.', ','")
A_FIELD = "{'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}"
MORE = "{{'{}', ','}}"
"""What a server expects: an expression, an index, an argument, a field, or the end of a list or map."""
DEEPEST = 250
LONGEST = 100_000


@lru_cache(maxsize=1024)
def parse(text: str, environment: int = NEWEST) -> Expr:
    """Parse an expression. Raise CelSyntaxError."""
    if len(text) > LONGEST:
        size = f"size: {len(text)}, limit {LONGEST}"
        raise CelSyntaxError(-1, f"expression code point size exceeds limit: {size}")
    words, wrong = tokenize(text)
    return with_large_stack(lambda: _Parser(text, words, [*wrong], environment).parsed())


def _is_sign(word: Token, *signs: str) -> bool:
    return word.kind == "sign" and word.text in signs


def _begins(word: Token) -> bool:
    """Whether an expression can begin with a token."""
    return word.kind in ("value", "name") or _is_sign(word, *_STARTS)


class _Parser:
    """A recursive descent parser. It counts levels like cel-go: nested rules, and then compound nodes.

    Like cel-go's, it goes on after a token too many and after some missing ones. After any other error, it ends.
    """

    def __init__(self, text: str, words: tuple[Token, ...], wrong: list[CelSyntaxError], environment: int) -> None:
        self._text, self._words, self._place, self._environment = text, words, 0, environment
        self._expressions = self._relations = self._calculations = 0
        self._copies = [macros.LARGEST]
        self._wrong = wrong

    @property
    def _word(self) -> Token:
        return self._words[self._place]

    def _next(self) -> Token:
        word = self._word
        self._place += 1
        return word

    def _takes(self, sign: str) -> Token | None:
        word = self._word
        if word.kind == "sign" and word.text == sign:
            self._place += 1
            return word
        return None

    @property
    def _after(self) -> Token:
        return self._words[min(self._place + 1, len(self._words) - 1)]

    def _needs(self, sign: str) -> Token:
        """Take a sign that an expression has to be followed by."""
        found = self._takes(sign)
        if found is not None:
            return found
        if _is_sign(self._after, sign):
            self._skip(f"'{sign}'")
            return self._next()
        if _begins(self._word) if sign == ":" else self._is_last_open():
            self._wrong.append(self._unexpected(f"missing '{sign}' at '{self._word.text}'"))
            return self._word
        raise self._unexpected(f"mismatched input '{self._word.text}' expecting '{sign}'")

    def _is_last_open(self) -> bool:
        """Whether the expression ends here, with one open bracket."""
        signs = [word.text for word in self._words if word.kind == "sign"] if self._word.kind == "end" else []
        return sum(map("([{".count, signs)) - sum(map(")]}".count, signs)) == 1

    def _takes_more(self, closing: str) -> bool:
        """Take a comma in a list or map, or what closes it; True for the comma."""
        if self._takes(",") is not None:
            if _is_sign(self._word, ","):
                raise self._unexpected(f"mismatched input ',' expecting '{closing}'")
            self._skip_operator(closing, f"'{closing}'")
            return True
        if self._takes(closing) is not None:
            return False
        expected = MORE.format(closing)
        if not _is_sign(self._after, closing, ","):
            raise self._unexpected(f"mismatched input '{self._word.text}' expecting {expected}")
        self._skip(expected)
        return self._takes_more(closing)

    def _begin(self, expected: str = AN_EXPRESSION) -> None:
        """Skip a token before an expression. Raise CelSyntaxError if none follows."""
        if not _begins(self._word):
            if not _begins(self._after):
                raise self._unexpected(f"mismatched input '{self._word.text}' expecting {expected}")
            self._skip(expected)

    def _skip_operator(self, closing: str, expected: str) -> None:
        """Skip an operator that stands alone in brackets."""
        if _is_sign(self._word, *OPERATORS) and _is_sign(self._after, closing):
            self._skip(expected)

    def _skip(self, expected: str) -> None:
        self._wrong.append(self._unexpected(f"extraneous input '{self._word.text}' expecting {expected}"))
        self._place += 1

    def _unexpected(self, why: str) -> CelSyntaxError:
        return CelSyntaxError(self._word.at, f"Syntax error: {why}")

    def _no_alternative(self, since: Token) -> CelSyntaxError:
        word = self._word
        said = since.text if word.kind == "end" else self._text[since.at : word.at + len(word.text)]
        return self._unexpected(f"no viable alternative at input '{said}'")

    def parsed(self) -> Expr:
        """Parse the whole expression. Raise CelSyntaxError with all errors."""
        try:
            found = self._whole()
        except CelSyntaxError as error:
            self._wrong.append(error)
        if self._wrong:
            *others, last = self._wrong
            raise CelSyntaxError(last.at, last.why, tuple(others))
        return found

    def _whole(self) -> Expr:
        found = self._expression()
        if self._word.kind != "end":
            if self._after.kind != "end":
                raise self._unexpected(f"mismatched input '{self._word.text}' expecting <EOF>")
            self._skip("<EOF>")
        if found.height > DEEPEST:
            raise CelSyntaxError(-1, "max recursion depth exceeded")
        return found

    @staticmethod
    def _deeper(depth: int) -> int:
        if depth >= DEEPEST:
            raise CelSyntaxError(-1, f"expression recursion limit exceeded: {DEEPEST}")
        return depth + 1

    def _expression(self) -> Expr:
        self._expressions = self._deeper(self._expressions)
        condition = self._logical()
        sign = self._takes("?")
        if sign is not None:
            yes = self._logical()
            self._needs(":")
            condition = _compound(Expr(CALL, sign.at, "_?_:_", (condition, yes, self._expression())))
        self._expressions -= 1
        return condition

    def _logical(self) -> Expr:
        either: list[Expr] = []
        signs: list[Token] = []
        while True:
            both, ands = [self._relation()], []
            while (sign := self._takes("&&")) is not None:
                ands.append(sign)
                both.append(self._relation())
            either.append(_balanced("_&&_", both, ands))
            sign = self._takes("||")
            if sign is None:
                return _balanced("_||_", either, signs)
            signs.append(sign)

    def _relation(self) -> Expr:
        before = self._relations
        self._relations = self._deeper(before)
        left = self._calculation(1)
        while self._word.kind == "sign" and self._word.text in RELATIONS:
            sign = self._next()
            self._deeper(self._relations)
            right = self._calculation(1)
            name = "@in" if sign.text == "in" else f"_{sign.text}_"
            left = _compound(Expr(CALL, sign.at, name, (left, right)))
        self._relations = before
        return left

    def _calculation(self, least: int) -> Expr:
        before = self._calculations
        self._calculations = self._deeper(before)
        left = self._unary()
        while self._word.kind == "sign" and CALCULATIONS.get(self._word.text, 0) >= least:
            sign = self._next()
            right = self._calculation(CALCULATIONS[sign.text] + 1)
            left = _compound(Expr(CALL, sign.at, f"_{sign.text}_", (left, right)))
        self._calculations = before
        return left

    def _unary(self) -> Expr:
        signs: list[Token] = []
        while _is_sign(self._word, "!", "-"):
            if signs and signs[0].text == "!" and self._word.text == "-":
                signs.append(self._next())  # of a number
                if not self._is_number():
                    raise self._no_alternative(signs[-1])
                break
            if signs and signs[0].text != self._word.text:
                raise self._no_alternative(signs[-1])
            signs.append(self._next())
        if not signs:
            return self._member()
        if self._word.kind == "end" and signs[0].text == "!":
            raise self._unexpected(f"extraneous input '{self._word.text}' expecting {AN_EXPRESSION}")
        if signs[-1].text == "!" and _is_sign(self._word, *OPERATORS):
            self._skip(AN_EXPRESSION)
        if signs[-1].text == "-" and not _begins(self._word):
            self._wrong.append(self._no_alternative(signs[-1]))
        if signs[-1].text == "-" and self._is_number():
            sign = signs.pop()
            found = self._members(Expr(CONST, sign.at, value=-self._next().value))
        else:
            found = self._member()
        if len(signs) % 2:
            height = found.height
            found = Expr(CALL, signs[0].at, f"{signs[0].text}_", (found,))
            found.height = height
        return found

    def _is_number(self) -> bool:
        return self._word.kind == "value" and type(self._word.value) in (int, float)

    def _member(self) -> Expr:
        return self._members(self._primary())

    def _members(self, found: Expr) -> Expr:
        named = found.kind == IDENT and self._words[self._place - 1].text != ")"
        while True:
            brace = self._takes("{") if named else None
            if brace is not None:
                found, named = self._struct(found, brace), False
                continue
            dot = self._takes(".")
            if dot is not None:
                found = self._after_dot(found, dot)
                named = named and found.kind == SELECT
                continue
            bracket = self._takes("[")
            if bracket is None:
                return found
            name = "_[?_]" if self._takes_optional("[?") else "_[_]"
            self._begin(AN_INDEX if name == "_[_]" else AN_EXPRESSION)
            index = self._expression()
            self._needs("]")
            found, named = _compound(Expr(CALL, bracket.at, name, (found, index))), False

    def _takes_optional(self, called: str = "?") -> bool:
        """Take the sign of an optional field or element."""
        word = self._takes("?")
        if word is not None and self._environment < OPTIONAL_SYNTAX:
            raise CelSyntaxError(word.at + 1 - len(called), f"unsupported syntax '{called}'")
        return word is not None

    def _after_dot(self, target: Expr, dot: Token) -> Expr:
        optional = self._takes_optional(".?")
        word = self._next()
        if word.kind not in ("name", "escaped"):
            self._place -= 1
            raise self._no_alternative(dot)
        if optional:
            field = Expr(CONST, word.at, value=word.value)
            return _compound(Expr(CALL, dot.at, "_?._", (target, field)))
        opened = self._takes("(") if word.kind == "name" else None
        if opened is None:
            return _compound(Expr(SELECT, dot.at, word.value, (target,)))
        given = self._arguments(")")
        height = 1 + max([target.height, *[one.height for one in given]])
        expand = macros.MEMBERS.get((word.text, len(given)))
        if expand is not None and has_macro(word.text, len(given), self._environment):
            if word.text in macros.COPYING:
                given = (macros.copy_tree(target, self._copies), *given)
            found = expand(target, given, opened.at)
        else:
            found = Expr(CALL, opened.at, word.text, (target, *given), member=True)
        found.height = height
        return found

    def _arguments(self, closing: str) -> tuple[Expr, ...]:
        found: list[Expr] = []
        self._skip_operator(closing, AN_ARGUMENT)
        if self._takes(closing) is not None:
            return ()
        self._begin(AN_ARGUMENT)
        while True:
            found.append(self._expression())
            if self._takes(",") is None:
                self._needs(closing)
                return tuple(found)

    def _struct(self, name: Expr, brace: Token) -> Expr:
        """Parse the fields of a struct, whose type name is a chain of selections."""
        steps: list[str] = []
        while name.kind == SELECT:
            steps.append(name.name)
            name = name.parts[0]
        fields: list[Field] = []
        found: list[Expr] = []
        while self._takes("}") is None:
            optional = self._takes_optional()
            word = self._next()
            if word.kind not in ("name", "escaped"):
                self._place -= 1
                raise self._unexpected(f"mismatched input '{word.text}' expecting {A_FIELD}")
            colon = self._needs(":")
            fields.append(Field(word.value, colon.at, optional))
            found.append(self._expression())
            if not self._takes_more("}"):
                break
        called = ".".join([name.name, *reversed(steps)])
        return _aggregate(Expr(STRUCT, brace.at, called, tuple(found), tuple(fields)))

    def _primary(self) -> Expr:
        if _is_sign(self._word, *OPERATORS) and not _begins(self._after):
            # upstream's parser goes on as if there were an operand before the operator
            self._wrong.append(self._unexpected(f"mismatched input '{self._word.text}' expecting {AN_EXPRESSION}"))
            return Expr(CONST, self._word.at)
        self._begin()
        if self._takes("("):
            found = self._expression()
            self._needs(")")
            return found
        bracket = self._takes("[")
        if bracket is not None:
            return self._list(bracket)
        brace = self._takes("{")
        if brace is not None:
            return self._map(brace)
        dot = self._takes(".")
        word = self._next()
        if word.kind == "value" and dot is None:
            if word.value == 2**63 and type(word.value) is int:
                raise CelSyntaxError(word.at, "invalid int literal")
            return Expr(CONST, word.at, value=word.value)
        if word.kind != "name":
            self._place -= 1
            raise self._no_alternative(dot or word)
        return self._named(word, "." if dot is not None else "")

    def _named(self, word: Token, dot: str) -> Expr:
        if word.text in RESERVED:
            raise CelSyntaxError(word.at, f"reserved identifier: {word.text}")
        opened = self._takes("(")
        if opened is None:
            return Expr(IDENT, word.at, dot + word.text)
        given = self._arguments(")")
        if word.text == "has" and len(given) == 1 and not dot:
            found = macros.has(given, opened.at)
        else:
            found = Expr(CALL, opened.at, word.text, given)
        found.height = max([one.height for one in given], default=0)
        return found

    def _list(self, bracket: Token) -> Expr:
        found: list[Expr] = []
        optional: list[int] = []
        if self._takes(",") is not None:  # cel-go takes a comma that follows nothing
            self._needs("]")
            return Expr(LIST, bracket.at, value=frozenset())
        self._skip_operator("]", AN_ELEMENT)
        while self._takes("]") is None:
            if self._takes_optional():
                optional.append(len(found))
            found.append(self._expression())
            if not self._takes_more("]"):
                break
        return _aggregate(Expr(LIST, bracket.at, parts=tuple(found), value=frozenset(optional)))

    def _map(self, brace: Token) -> Expr:
        found: list[Expr] = []
        optional: list[int] = []
        if self._takes(",") is not None:  # cel-go takes a comma that follows nothing
            self._needs("}")
            return Expr(MAP, brace.at, value=frozenset())
        self._skip_operator("}", AN_ENTRY)
        while self._takes("}") is None:
            if self._takes_optional():
                optional.append(len(found))
            found.append(self._expression())
            self._needs(":")
            found.append(self._expression())
            if not self._takes_more("}"):
                break
        return _aggregate(Expr(MAP, brace.at, parts=tuple(found), value=frozenset(optional)))


def _compound(found: Expr) -> Expr:
    found.height = 1 + max(one.height for one in found.parts)
    return found


def _aggregate(found: Expr) -> Expr:
    found.height = max([one.height for one in found.parts], default=0)
    return found


def _balanced(name: str, terms: list[Expr], signs: list[Token]) -> Expr:
    """Join terms by an operator to a balanced tree, whose depth is logarithmic."""
    if not signs:
        return terms[0]
    return _half(name, terms, signs, 0, len(signs) - 1)


def _half(name: str, terms: list[Expr], signs: list[Token], low: int, high: int) -> Expr:
    middle = (low + high + 1) // 2
    left = terms[middle] if middle == low else _half(name, terms, signs, low, middle - 1)
    right = terms[middle + 1] if middle == high else _half(name, terms, signs, middle + 1, high)
    return _aggregate(Expr(CALL, signs[middle].at, name, (left, right)))
