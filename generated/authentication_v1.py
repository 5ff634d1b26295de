"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'BoundObjectReference': (
        ('apiVersion', 16, None, 'primitive', 'string'),
        ('kind', 16, None, 'primitive', 'string'),
        ('name', 16, None, 'primitive', 'string'),
        ('uid', 16, None, 'primitive', 'string'),
    ),
    'SelfSubjectReview': (
        ('apiVersion', 28, None, 'primitive', 'string'),
        ('kind', 28, None, 'primitive', 'string'),
        ('metadata', 28, None, 'map', 'meta_v1.ObjectMeta'),
        ('status', 28, None, 'map', 'authentication_v1.SelfSubjectReviewStatus'),
    ),
    'SelfSubjectReviewStatus': (
        ('userInfo', 28, None, 'map', 'authentication_v1.UserInfo'),
    ),
    'TokenRequest': (
        ('apiVersion', 16, None, 'primitive', 'string'),
        ('kind', 16, None, 'primitive', 'string'),
        ('metadata', 16, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 16, None, 'map', 'authentication_v1.TokenRequestSpec'),
        ('status', 16, None, 'map', 'authentication_v1.TokenRequestStatus'),
    ),
    'TokenRequestSpec': (
        ('attestations', 37, None, 'map', 'authentication_v1.TokenRequestSpec.attestations{}', None, None, None, None, None, None, None, 1),
        ('audiences', 16, 29, 'list', 'string', None, None, 'atomic', None, 1),
        ('audiences', 30, None, 'list', 'string', None, None, 'atomic'),
        ('boundObjectRef', 16, None, 'map', 'authentication_v1.BoundObjectReference'),
        ('expirationSeconds', 16, None, 'primitive', 'integer'),
    ),
    'TokenRequestSpec.attestations{}': (
        ('', 37, None, 'list', 'string', None, None, 'atomic', None, 1),
    ),
    'TokenRequestStatus': (
        ('expirationTimestamp', 16, None, 'primitive', 'string'),
        ('token', 16, None, 'primitive', 'string'),
    ),
    'TokenReview': (
        ('apiVersion', 7, None, 'primitive', 'string'),
        ('kind', 7, None, 'primitive', 'string'),
        ('metadata', 7, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 7, None, 'map', 'authentication_v1.TokenReviewSpec'),
        ('status', 7, None, 'map', 'authentication_v1.TokenReviewStatus'),
    ),
    'TokenReviewSpec': (
        ('audiences', 13, 29, 'list', 'string', None, None, 'atomic', None, 1),
        ('audiences', 30, None, 'list', 'string', None, None, 'atomic'),
        ('token', 7, None, 'primitive', 'string'),
    ),
    'TokenReviewStatus': (
        ('audiences', 13, 29, 'list', 'string', None, None, 'atomic', None, 1),
        ('audiences', 30, None, 'list', 'string', None, None, 'atomic'),
        ('authenticated', 7, None, 'primitive', 'boolean'),
        ('error', 7, None, 'primitive', 'string'),
        ('user', 7, None, 'map', 'authentication_v1.UserInfo'),
    ),
    'UserInfo': (
        ('extra', 7, None, 'map', 'authentication_v1.UserInfo.extra{}', None, None, None, None, None, None, None, 1),
        ('groups', 7, 29, 'list', 'string', None, None, 'atomic', None, 1),
        ('groups', 30, None, 'list', 'string', None, None, 'atomic'),
        ('uid', 7, None, 'primitive', 'string'),
        ('username', 7, None, 'primitive', 'string'),
    ),
    'UserInfo.extra{}': (
        ('', 7, None, 'list', 'string', None, None, 'atomic', None, 1),
    ),
}
