"""Reading an expression into a tree, with its macros."""

from __future__ import annotations

from functools import lru_cache

from .lexer import RESERVED, Word, words
from .tree import CALL, CONST, FOLD, IDENT, LIST, MAP, SELECT, TEST, CelSyntaxError, Expr

LEVELS = (("||",), ("&&",), ("<", "<=", ">=", ">", "==", "!=", "in"), ("+", "-"), ("*", "/", "%"))
"""Binary operators, those that bind least first."""
ONE_VARIABLE = {"all": (2,), "exists": (2,), "exists_one": (2,), "existsOne": (2,), "map": (2, 3), "filter": (2,)}
ONE_VARIABLE |= {"optMap": (2,), "optFlatMap": (2,), "sortBy": (2,)}
TWO_VARIABLES = {"all": (3,), "exists": (3,), "existsOne": (3,), "transformList": (3, 4), "transformMap": (3, 4)}
TWO_VARIABLES |= {"transformMapEntry": (3, 4)}
NOTHING_MORE = (
    "mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', "
    "NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"
)
DEEPEST = 250
LONGEST = 100_000


@lru_cache(maxsize=2048)
def parsed(text: str) -> Expr:
    """The tree of an expression; raises CelSyntaxError."""
    if len(text) > LONGEST:
        raise CelSyntaxError(0, f"expression code point size exceeds limit: size: {len(text)}, limit {LONGEST}")
    return _Parser(words(text)).whole()


class _Parser:
    def __init__(self, found: list[Word]) -> None:
        self._words, self._place, self._depth = found, 0, 0

    @property
    def _word(self) -> Word:
        return self._words[self._place]

    def _next(self) -> Word:
        word = self._word
        self._place += 1
        return word

    def _takes(self, sign: str) -> Word | None:
        word = self._word
        if word.kind == "sign" and word.text == sign:
            self._place += 1
            return word
        return None

    def _needs(self, sign: str) -> Word:
        found = self._takes(sign)
        if found is None:
            raise self._unexpected(f"missing '{sign}' at '{self._word.text}'")
        return found

    def _unexpected(self, why: str = "") -> CelSyntaxError:
        return CelSyntaxError(self._word.at, "Syntax error: " + (why or f"mismatched input '{self._word.text}'"))

    def whole(self) -> Expr:
        """The whole expression."""
        found = self._expression()
        if self._word.kind != "end":
            raise self._unexpected(f"extraneous input '{self._word.text}' expecting <EOF>")
        return found

    def _expression(self) -> Expr:
        self._depth += 1
        if self._depth > DEEPEST:
            raise CelSyntaxError(self._word.at, f"expression recursion limit exceeded: {DEEPEST}")
        condition = self._binary(0)
        sign = self._takes("?")
        if sign is not None:
            yes = self._binary(0)
            self._needs(":")
            condition = Expr(CALL, sign.at, "_?_:_", (condition, yes, self._expression()))
        self._depth -= 1
        return condition

    def _binary(self, level: int) -> Expr:
        if level == len(LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while self._word.kind == "sign" and self._word.text in LEVELS[level]:
            sign = self._next()
            right = self._binary(level + 1)
            name = "@in" if sign.text == "in" else f"_{sign.text}_"
            left = Expr(CALL, sign.at, name, (left, right))
        return left

    def _unary(self) -> Expr:
        signs: list[Word] = []
        while self._word.kind == "sign" and self._word.text in ("!", "-"):
            if signs and signs[0].text != self._word.text:
                raise self._unexpected()
            signs.append(self._next())
        if not signs:
            return self._member()
        number = self._word.value
        if signs[-1].text == "-" and self._word.kind == "value" and type(number) in (int, float):
            sign = signs.pop()
            self._place += 1
            found = self._members(Expr(CONST, sign.at, value=-number))
        else:
            found = self._member()
        for sign in reversed(signs[: len(signs) % 2]):
            found = Expr(CALL, sign.at, f"{sign.text}_", (found,))
        return found

    def _member(self) -> Expr:
        return self._members(self._primary())

    def _members(self, found: Expr) -> Expr:
        count = 0
        while True:
            count += 1
            if count > 10 * DEEPEST:
                raise CelSyntaxError(self._word.at, "expression recursion limit exceeded")
            dot = self._takes(".")
            if dot is not None:
                found = self._after_dot(found, dot)
                continue
            bracket = self._takes("[") or self._takes("[?")
            if bracket is None:
                return found
            index = self._expression()
            self._needs("]")
            found = Expr(CALL, bracket.at, "_[_]" if bracket.text == "[" else "_[?_]", (found, index))

    def _after_dot(self, target: Expr, dot: Word) -> Expr:
        optional = self._takes("?") is not None
        word = self._next()
        if word.kind not in ("name", "value") and word.text != "in":
            self._place -= 1
            raise self._unexpected()
        if optional:
            field = Expr(CONST, word.at, value=word.text)
            return Expr(CALL, dot.at, "_?._", (target, field))
        opened = self._takes("(")
        if opened is None:
            return Expr(SELECT, dot.at, word.text, (target,))
        return self._method(target, word, opened, self._arguments(")"))

    def _method(self, target: Expr, word: Word, opened: Word, given: tuple[Expr, ...]) -> Expr:
        name = word.text
        variables = 0
        if len(given) in ONE_VARIABLE.get(name, ()):
            variables = 1
        elif len(given) in TWO_VARIABLES.get(name, ()):
            variables = 2
        if not variables:
            return Expr(CALL, opened.at, name, (target, *given), member=True)
        if any(one.kind != IDENT for one in given[:variables]):
            place = next(one for one in given[:variables] if one.kind != IDENT)
            raise CelSyntaxError(place.at, "argument must be a simple name")
        names = tuple(one.name for one in given[:variables])
        return Expr(FOLD, opened.at, name, (target, *given[variables:]), names)

    def _arguments(self, closing: str) -> tuple[Expr, ...]:
        found: list[Expr] = []
        while self._takes(closing) is None:
            found.append(self._expression())
            if self._takes(",") is None:
                self._needs(closing)
                break
        return tuple(found)

    def _primary(self) -> Expr:
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
        self._takes(".")
        word = self._next()
        if word.kind == "value":
            if word.value == 2**63 and type(word.value) is int:
                raise CelSyntaxError(word.at, "invalid int literal")
            return Expr(CONST, word.at, value=word.value)
        if word.kind != "name":
            self._place -= 1
            raise self._unexpected(NOTHING_MORE if word.kind == "end" else "")
        return self._named(word)

    def _named(self, word: Word) -> Expr:
        if word.text in RESERVED:
            raise CelSyntaxError(word.at, f"reserved identifier: {word.text}")
        opened = self._takes("(")
        if opened is None:
            return Expr(IDENT, word.at, word.text)
        given = self._arguments(")")
        if word.text == "has" and len(given) == 1:
            if given[0].kind != SELECT:
                raise CelSyntaxError(given[0].at, "invalid argument to has() macro")
            return Expr(TEST, opened.at, given[0].name, given[0].parts)
        return Expr(CALL, opened.at, word.text, given)

    def _list(self, bracket: Word) -> Expr:
        found: list[Expr] = []
        optional: list[int] = []
        while self._takes("]") is None:
            if self._takes("?"):
                optional.append(len(found))
            found.append(self._expression())
            if self._takes(",") is None:
                self._needs("]")
                break
        return Expr(LIST, bracket.at, parts=tuple(found), value=frozenset(optional))

    def _map(self, brace: Word) -> Expr:
        found: list[Expr] = []
        optional: list[int] = []
        while self._takes("}") is None:
            if self._takes("?"):
                optional.append(len(found))
            found.append(self._expression())
            self._needs(":")
            found.append(self._expression())
            if self._takes(",") is None:
                self._needs("}")
                break
        return Expr(MAP, brace.at, parts=tuple(found), value=frozenset(optional))
