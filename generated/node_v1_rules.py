"""Declared validation of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, enforced since, rule, arguments
RULES = {
    'RuntimeClass': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('handler', 36, None, None, 'type', 'string'),
        ('handler', 36, None, 37, 'immutable'),
        ('handler', 36, None, 37, 'required'),
        ('handler', 36, None, 37, 'format', 'k8s-short-name'),
        ('scheduling', 37, None, None, 'type', '*node_v1.Scheduling'),
        ('scheduling', 37, None, None, 'optional'),
    ),
    'Scheduling': (
        ('tolerations', 37, None, None, 'type', '[]core_v1.Toleration'),
        ('tolerations', 37, None, None, 'optional'),
    ),
}
