"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'FieldSelectorAttributes': (
        ('rawSelector', 31, None, 'primitive', 'string'),
        ('requirements', 31, None, 'list', 'meta_v1.FieldSelectorRequirement', None, None, 'atomic'),
    ),
    'LabelSelectorAttributes': (
        ('rawSelector', 31, None, 'primitive', 'string'),
        ('requirements', 31, None, 'list', 'meta_v1.LabelSelectorRequirement', None, None, 'atomic'),
    ),
    'LocalSubjectAccessReview': (
        ('apiVersion', 7, None, 'primitive', 'string'),
        ('kind', 7, None, 'primitive', 'string'),
        ('metadata', 7, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 7, None, 'map', 'authorization_v1.SubjectAccessReviewSpec'),
        ('status', 7, None, 'map', 'authorization_v1.SubjectAccessReviewStatus'),
    ),
    'NonResourceAttributes': (
        ('path', 7, None, 'primitive', 'string'),
        ('verb', 7, None, 'primitive', 'string'),
    ),
    'NonResourceRule': (
        ('nonResourceURLs', 8, 29, 'list', 'string', None, None, 'atomic', None, 1),
        ('nonResourceURLs', 30, None, 'list', 'string', None, None, 'atomic'),
        ('verbs', 8, 29, 'list', 'string', None, None, 'atomic', None, 1),
        ('verbs', 30, None, 'list', 'string', None, None, 'atomic'),
    ),
    'ResourceAttributes': (
        ('fieldSelector', 31, None, 'map', 'authorization_v1.FieldSelectorAttributes'),
        ('group', 7, None, 'primitive', 'string'),
        ('labelSelector', 31, None, 'map', 'authorization_v1.LabelSelectorAttributes'),
        ('name', 7, None, 'primitive', 'string'),
        ('namespace', 7, None, 'primitive', 'string'),
        ('resource', 7, None, 'primitive', 'string'),
        ('subresource', 7, None, 'primitive', 'string'),
        ('verb', 7, None, 'primitive', 'string'),
        ('version', 7, None, 'primitive', 'string'),
    ),
    'ResourceRule': (
        ('apiGroups', 8, 29, 'list', 'string', None, None, 'atomic', None, 1),
        ('apiGroups', 30, None, 'list', 'string', None, None, 'atomic'),
        ('resourceNames', 8, 29, 'list', 'string', None, None, 'atomic', None, 1),
        ('resourceNames', 30, None, 'list', 'string', None, None, 'atomic'),
        ('resources', 8, 29, 'list', 'string', None, None, 'atomic', None, 1),
        ('resources', 30, None, 'list', 'string', None, None, 'atomic'),
        ('verbs', 8, 29, 'list', 'string', None, None, 'atomic', None, 1),
        ('verbs', 30, None, 'list', 'string', None, None, 'atomic'),
    ),
    'SelfSubjectAccessReview': (
        ('apiVersion', 7, None, 'primitive', 'string'),
        ('kind', 7, None, 'primitive', 'string'),
        ('metadata', 7, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 7, None, 'map', 'authorization_v1.SelfSubjectAccessReviewSpec'),
        ('status', 7, None, 'map', 'authorization_v1.SubjectAccessReviewStatus'),
    ),
    'SelfSubjectAccessReviewSpec': (
        ('nonResourceAttributes', 7, None, 'map', 'authorization_v1.NonResourceAttributes'),
        ('resourceAttributes', 7, None, 'map', 'authorization_v1.ResourceAttributes'),
    ),
    'SelfSubjectRulesReview': (
        ('apiVersion', 8, None, 'primitive', 'string'),
        ('kind', 8, None, 'primitive', 'string'),
        ('metadata', 8, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 8, None, 'map', 'authorization_v1.SelfSubjectRulesReviewSpec'),
        ('status', 8, None, 'map', 'authorization_v1.SubjectRulesReviewStatus'),
    ),
    'SelfSubjectRulesReviewSpec': (
        ('namespace', 8, None, 'primitive', 'string'),
    ),
    'SubjectAccessReview': (
        ('apiVersion', 7, None, 'primitive', 'string'),
        ('kind', 7, None, 'primitive', 'string'),
        ('metadata', 7, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 7, None, 'map', 'authorization_v1.SubjectAccessReviewSpec'),
        ('status', 7, None, 'map', 'authorization_v1.SubjectAccessReviewStatus'),
    ),
    'SubjectAccessReviewSpec': (
        ('extra', 7, None, 'map', 'authorization_v1.SubjectAccessReviewSpec.extra{}', None, None, None, None, None, None, None, 1),
        ('groups', 7, 29, 'list', 'string', None, None, 'atomic', None, 1),
        ('groups', 30, None, 'list', 'string', None, None, 'atomic'),
        ('nonResourceAttributes', 7, None, 'map', 'authorization_v1.NonResourceAttributes'),
        ('resourceAttributes', 7, None, 'map', 'authorization_v1.ResourceAttributes'),
        ('uid', 8, None, 'primitive', 'string'),
        ('user', 7, None, 'primitive', 'string'),
    ),
    'SubjectAccessReviewSpec.extra{}': (
        ('', 7, None, 'list', 'string', None, None, 'atomic', None, 1),
    ),
    'SubjectAccessReviewStatus': (
        ('allowed', 7, None, 'primitive', 'boolean'),
        ('denied', 9, None, 'primitive', 'boolean'),
        ('evaluationError', 7, None, 'primitive', 'string'),
        ('reason', 7, None, 'primitive', 'string'),
    ),
    'SubjectRulesReviewStatus': (
        ('evaluationError', 8, None, 'primitive', 'string'),
        ('incomplete', 8, None, 'primitive', 'boolean'),
        ('nonResourceRules', 8, 29, 'list', 'authorization_v1.NonResourceRule', None, None, 'atomic', None, 1),
        ('nonResourceRules', 30, None, 'list', 'authorization_v1.NonResourceRule', None, None, 'atomic'),
        ('resourceRules', 8, 29, 'list', 'authorization_v1.ResourceRule', None, None, 'atomic', None, 1),
        ('resourceRules', 30, None, 'list', 'authorization_v1.ResourceRule', None, None, 'atomic'),
    ),
}
