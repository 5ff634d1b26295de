"""Parse templates."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from .functions import FUNCTIONS
from .lexing import Token, failure, tokens
from .nodes import Action, Branch, Command, Dot, FieldNode, Function, Jump, Literal, Pipeline, Text, Variable

if TYPE_CHECKING:
    from .lexing import BadTemplate

_BRANCHES = ("if", "range", "with")
_LEFT_OUT = ("block", "define", "template")
_CONSTANTS = {"true": True, "false": False, "nil": None}


def parse(text: str) -> list[Any]:
    """The nodes of a template. Raise BadTemplate if it is invalid."""
    return _Parser(text).template()


class _Parser:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(tokens(text))
        self._next = 0
        self._variables = ["$"]
        self._loops = 0

    # ---- lists of nodes

    def template(self) -> list[Any]:
        nodes, end = self._nodes()
        if end is not None:
            raise self._failure(end, f"unexpected {{{{{end.text}}}}}")
        return nodes

    def _nodes(self) -> tuple[list[Any], Token | None]:
        """The nodes up to an `else` or an `end`, and that word. None at the end of the template."""
        nodes: list[Any] = []
        while self._next < len(self._tokens):
            token = self._take()
            if token.sort == "text":
                nodes.append(Text(token.text))
                continue
            self._next -= 1
            self._space()
            word = self._peek()
            if word.sort == "word" and word.text in ("else", "end"):
                return nodes, self._take()
            nodes.append(self._node(word))
        return nodes, None

    def _node(self, word: Token) -> Any:
        if word.sort == "word" and word.text in _BRANCHES:
            self._take()
            return self._branch(word)
        if word.sort == "word" and word.text in ("break", "continue"):
            self._take()
            if not self._loops:
                raise self._failure(word, f"{{{{{word.text}}}}} outside {{{{range}}}}")
            self._close(f"{{{{{word.text}}}}}")
            return Jump(word.text)
        if word.sort == "word" and word.text in _LEFT_OUT:
            raise self._failure(word, f"{word.text} is not supported here")
        return Action(self._pipeline("command", "end"))

    def _branch(self, word: Token) -> Branch:
        depth = len(self._variables)
        pipeline = self._pipeline(word.text, "end")
        self._loops += word.text == "range"
        body, end = self._nodes()
        self._loops -= word.text == "range"
        otherwise: list[Any] = []
        if end is not None and end.text == "else":
            otherwise, end = self._else(word)
        if end is None:
            raise failure(self._text, len(self._text), "unexpected EOF")
        if end.text == "end":
            self._close("end")
        del self._variables[depth:]
        return Branch(word.text, pipeline, body, otherwise)

    def _else(self, word: Token) -> tuple[list[Any], Token | None]:
        """The nodes after an `else`. An `else if` ends together with the outer `if`."""
        self._space()
        inner = self._peek()
        if inner.sort == "word" and inner.text in ("if", "with") and inner.text == word.text:
            self._take()
            return [self._branch(inner)], Token("word", "closed", inner.at)
        self._close("else")
        nodes, end = self._nodes()
        if end is not None and end.text == "else":
            raise self._failure(end, "expected end; found {{else}}")
        return nodes, end

    # ---- pipelines

    def _pipeline(self, context: str, closes: str) -> Pipeline:
        variables, declares = self._declaration(context)
        commands = []
        while True:
            command, last = self._command(context, closes)
            commands.append(command)
            if last:
                self._variables += variables
                return Pipeline(tuple(commands), variables, declares)

    def _declaration(self, context: str) -> tuple[tuple[str, ...], bool]:
        """The variables before `:=` or `=`."""
        start = self._next
        self._space()
        names: list[str] = []
        while self._peek().sort == "variable":
            names.append(self._take().text)
            self._space()
            sign = self._peek()
            if sign.text == "," and context == "range" and len(names) == 1:
                self._take()
                self._space()
            elif sign.text in (":=", "="):
                self._take()
                return tuple(names), sign.text == ":="
            else:
                break
        self._next = start
        return (), True

    def _command(self, context: str, closes: str) -> tuple[Command, bool]:
        """One command, and whether it is the last one."""
        parts: list[Any] = []
        self._space()
        begin = self._peek().at
        while True:
            self._space()
            token = self._peek()
            last = closes in (token.sort, token.text)
            if last or token.text == "|":
                self._take()
                if not parts:
                    raise self._failure(token, f"missing value for {context}")
                return Command(tuple(parts), self._text[begin : token.at].strip()), last
            parts.append(self._operand(context))

    def _operand(self, context: str) -> Any:
        token = self._take()
        node = self._simple(token, context)
        names = []
        while self._peek().sort == "field":
            names.append(self._take().text[1:])
        if not names:
            return node
        said = self._text[token.at : self._peek().at]
        if isinstance(node, FieldNode) and node.of is None:
            return FieldNode((*node.names, *names), token.at, None, said)
        return FieldNode(tuple(names), token.at, node, said)

    def _simple(self, token: Token, context: str) -> Any:
        if token.sort == "field":
            return FieldNode((token.text[1:],), token.at, None, token.text)
        if token.sort == "dot":
            return Dot(token.at)
        if token.sort == "variable":
            if token.text not in self._variables:
                raise self._failure(token, f'undefined variable "{token.text}"')
            return Variable(token.text, token.at)
        if token.text == "(":
            return self._pipeline("parenthesized pipeline", ")")
        if token.sort == "word":
            return self._word(token)
        value = self._literal(token)
        if value is None:
            shown = "{{end}}" if token.sort == "end" else f"<{token.text}>"
            raise self._failure(token, f"unexpected {shown} in {'operand' if context == 'command' else context}")
        return Literal(value, token.at)

    def _word(self, token: Token) -> Any:
        if token.text in _CONSTANTS:
            return Literal(_CONSTANTS[token.text], token.at)
        if token.text not in FUNCTIONS:
            raise self._failure(token, f'function "{token.text}" not defined')
        return Function(token.text, token.at)

    def _literal(self, token: Token) -> Any:
        if token.sort == "raw":
            return token.text[1:-1]
        if token.sort == "string":
            return _unquoted(token.text)
        if token.sort == "char":
            return ord(_unquoted(f'"{token.text[1:-1]}"'))
        return _number(token.text) if token.sort == "number" else None

    # ---- tokens

    def _take(self) -> Token:
        token = self._peek()
        self._next += 1
        return token

    def _peek(self) -> Token:
        if self._next < len(self._tokens):
            return self._tokens[self._next]
        raise failure(self._text, len(self._text), "unexpected EOF")

    def _space(self) -> None:
        while self._next < len(self._tokens) and self._tokens[self._next].sort == "space":
            self._next += 1

    def _close(self, context: str) -> None:
        self._space()
        token = self._take()
        if token.sort != "end":
            raise self._failure(token, f"unexpected <{token.text}> in {context}")

    def _failure(self, token: Token, why: str) -> BadTemplate:
        return failure(self._text, token.at, why)


def _number(text: str) -> int | float:
    plain = text.replace("_", "")
    if re.fullmatch(r"[+-]?[0-9]+", plain):
        return int(plain)
    return int(plain, 0) if plain.lower().lstrip("+-").startswith(("0x", "0b", "0o")) else float(plain)


def _unquoted(text: str) -> str:
    """The text of a quoted Go string, which has a few more escapes than JSON."""
    escapes = {"\\a": "\\u0007", "\\v": "\\u000b", "\\'": "'"}
    said = re.sub(r"\\(.)", lambda found: escapes.get(found[0], found[0]), text)
    said = re.sub(r"\\x([0-9a-fA-F]{2})", r"\\u00\1", said).replace("\t", "\\t")
    return str(json.loads(said))
