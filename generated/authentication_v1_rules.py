"""Declared validation of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, enforced since, rule, arguments
RULES = {
    'SelfSubjectReview': (
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('metadata', 37, None, 37, 'opaqueType'),
    ),
    'TokenRequest': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('metadata', 37, None, 37, 'opaqueType'),
    ),
    'TokenReview': (
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('metadata', 37, None, 37, 'opaqueType'),
    ),
}
