"""The admission webhooks of one request."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.values.go_json import encode
from engine.values.plain import same

from ..crd.deadlines import current_request
from ..errors import BadRequest, Forbidden, InternalError, WebhookDenial
from ..metadata import random_uid
from ..policies.conditions import ConditionError, meets_conditions
from ..policies.validating import name_in_error
from ..unchecked import as_number, as_text
from .calls import Call, CallError, results
from .client import post
from .endpoints import endpoint_of
from .patches import operations_in, patched
from .reviews import review_of, review_version, verdict_in

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from ..policies.context import PolicyContext
    from ..policies.request import Match
    from ..protocol import Object
    from .endpoints import Endpoint
    from .reviews import Review, Verdict
    from .source import Webhook, WebhookCandidates

WITHOUT_EFFECTS = ("None", "NoneOnDryRun")
SMALLEST_ERROR = 400


class _Sent(NamedTuple):
    """A webhook with the match of its request."""

    webhook: Webhook
    match: Match


class RequestWebhooks:
    """The webhooks that may apply to one request to a server."""

    def __init__(
        self,
        webhooks: WebhookCandidates,
        context: PolicyContext,
        before: Object | None,
        warn: Callable[[str], None],
        services: Mapping[str, str],
    ) -> None:
        self._webhooks, self._context, self._before, self._warn = webhooks, context, before, warn
        self._services = services
        self.patched = False
        """Whether a webhook changed the object."""
        self._invoked: set[str] = set()
        """Invoked webhooks with the reinvocationPolicy IfNeeded, since the last change."""
        self._repeated: set[str] = set()
        """Webhooks to invoke again."""
        self._output: Object | None = None

    # ---- mutating --------------------------------------------------------------------------------------------------

    @property
    def is_mutating(self) -> bool:
        """Whether there are mutating webhooks."""
        return bool(self._webhooks.mutating)

    @property
    def is_validating(self) -> bool:
        """Whether there are validating webhooks."""
        return bool(self._webhooks.validating)

    def mutate(self, content: Object, *, again: bool = False) -> Object:
        """Return the object after the mutating webhooks. `again`: only those that earlier changes affect."""
        return self._mutated(content, again=again) or content

    def mutate_nothing(self) -> None:
        """Call the mutating webhooks for a deletion."""
        self._mutated(None, again=False)

    def _mutated(self, content: Object | None, *, again: bool) -> Object | None:
        if again and content is not None and not same(content, self._output):
            self._require_repeated()
        for hook in self._webhooks.mutating:
            match = self._match(hook, content)
            if match is None or (again and hook.key not in self._repeated):
                continue
            after = self._after(_Sent(hook, match), content, again=again)
            if after is not content:
                self.patched = True
                self._require_repeated()
                content = after
            if hook.is_reinvoked:
                self._invoked.add(hook.key)
        self._output = content
        return content

    def _require_repeated(self) -> None:
        self._repeated |= self._invoked
        self._invoked = set()

    def _after(self, sent: _Sent, content: Object | None, *, again: bool) -> Object | None:
        """The object after one webhook: the same one if it is equal."""
        kinds, match = self._context.kinds, sent.match
        versioned, before = self._in_version(match, content), self._in_version(match, self._before)
        verdict = self._verdicts([sent], [(versioned, before)], mutating=True, again=again)[0]
        if verdict is None or not verdict.patch:
            return content
        try:
            operations = operations_in(verdict.patch)
            if operations and verdict.patch_type != "JSONPatch":
                raise CallError(f'unsupported patch type "{verdict.patch_type}"')
        except CallError as error:
            self._failed(sent.webhook, error)
            return content
        if not operations:
            return content
        if versioned is None:
            why = "attempted to modify the object, which is not supported for this operation"
            raise InternalError(f'admission webhook "{sent.webhook.name}" {why}')
        after = patched(versioned, operations, match, kinds)
        if same(after, versioned):
            return content
        if match.kind == self._context.request.sent_kind:
            return after
        return kinds.in_version(after, self._context.request.resource)

    # ---- validating ------------------------------------------------------------------------------------------------

    def validate(self, content: Object | None) -> None:
        """Reject an object that a webhook denies. All webhooks are called at the same time."""
        found = [(hook, self._match(hook, content)) for hook in self._webhooks.validating]
        sent = [_Sent(hook, match) for hook, match in found if match is not None]
        objects = [(self._in_version(one.match, content), self._in_version(one.match, self._before)) for one in sent]
        if sent:
            self._verdicts(sent, objects, mutating=False, again=False)

    # ---- both ------------------------------------------------------------------------------------------------------

    def _match(self, hook: Webhook, content: Object | None) -> Match | None:
        """The match of a webhook's rules, selectors and conditions."""
        context = self._context
        match = context.matcher(content, self._before).match(hook.constraints)
        if match is None or not hook.conditions.conditions:
            return match
        objects = (self._in_version(match, content), self._in_version(match, self._before))
        variables = context.variables(match, *objects, None)
        try:
            return match if meets_conditions(hook.conditions, context, variables) else None
        except ConditionError as error:
            request = context.request
            raise Forbidden(request.resource.called, name_in_error(request.name, content), str(error)) from None

    def _in_version(self, match: Match, content: Object | None) -> Object | None:
        if content is None or match.kind == self._context.request.sent_kind:
            return content
        return self._context.kinds.in_version(content, match.resource)

    def _verdicts(
        self,
        sent: list[_Sent],
        objects: list[tuple[Object | None, Object | None]],
        *,
        mutating: bool,
        again: bool,
    ) -> list[Verdict | None]:
        """The verdicts of webhooks, None for an ignored failure. Raise the first error."""
        request = current_request()
        if request is None:
            return [None] * len(sent)
        prepared: list[Call | Exception] = []
        for one, (content, before) in zip(sent, objects, strict=True):
            try:
                prepared.append(self._call(one, content, before, mutating=mutating, again=again))
            except (CallError, BadRequest) as error:
                prepared.append(error)
        made: Iterator[Any] = iter(results(request, [one for one in prepared if isinstance(one, Call)]))
        outcomes = [next(made) if isinstance(one, Call) else one for one in prepared]
        for outcome in outcomes:
            for text in getattr(outcome, "warnings", ()):
                self._warn(text)
        return [self._judged(one.webhook, outcome) for one, outcome in zip(sent, outcomes, strict=True)]

    def _judged(self, hook: Webhook, outcome: Any) -> Verdict | None:
        if isinstance(outcome, CallError):
            self._failed(hook, outcome)
            return None
        if isinstance(outcome, BadRequest):
            raise outcome
        if not outcome.allowed:
            raise denial(hook.name, outcome.status)
        return outcome  # type: ignore[no-any-return]

    def _failed(self, hook: Webhook, error: CallError) -> None:
        if not hook.ignores_failures:
            raise InternalError(f'failed calling webhook "{hook.name}": {error}')

    def _call(
        self,
        sent: _Sent,
        content: Object | None,
        before: Object | None,
        *,
        mutating: bool,
        again: bool,
    ) -> Call:
        hook, request = sent.webhook, self._context.request
        if request.dry_run and hook.spec.get("sideEffects") not in WITHOUT_EFFECTS:
            raise BadRequest(f'admission webhook "{hook.name}" does not support dry run')
        version = review_version(hook.spec.get("admissionReviewVersions"), self._context.kinds.minor)
        review = review_of(version, request, sent.match, content, before)
        endpoint = endpoint_of(hook.spec.get("clientConfig") or {}, self._services, self._context.service)
        phase = f"{'mutating' if mutating else 'validating'}/{hook.key}/{'again' if again else 'first'}"
        name = f"{phase}/{request.namespace}/{request.name}"
        key = f"{phase}/{encode([review.request, *endpoint[:5], review.version])}"
        make = partial(_called, review, endpoint, hook.seconds, mutating=mutating)
        return Call(key, name, make, request.resource.called, name_in_error(request.name, before))


def _called(review: Review, endpoint: Endpoint, seconds: float, left: float, *, mutating: bool) -> Verdict:
    """Call a webhook, and return its verdict. Raise CallError."""
    allowed = min(seconds, left)
    uid = random_uid()
    body = encode(review.with_uid(uid)).encode() + b"\n"
    try:
        found = post(endpoint, body, allowed, f"timeout={max(math.ceil(allowed), 1)}s")
    except CallError as error:
        raise CallError(f"failed to call webhook: {error}") from None
    return verdict_in(found, review.version, uid, mutating=mutating)


def denial(name: str, status: Object | None) -> WebhookDenial:
    """Return the error for a denied request, with the Status of the webhook."""
    found = status or {}
    code = as_number(found.get("code")) or 0
    reason, said = as_text(found.get("reason")), as_text(found.get("message"))
    message = f'admission webhook "{name}" denied the request'
    why = said or reason
    message = f"{message}: {why}" if why else f"{message} without explanation"
    return WebhookDenial(message, max(int(code), SMALLEST_ERROR), reason, found.get("details"))
