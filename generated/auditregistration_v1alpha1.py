"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'AuditSink': (
        ('apiVersion', 13, 18, 'primitive', 'string'),
        ('kind', 13, 18, 'primitive', 'string'),
        ('metadata', 13, 18, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 13, 18, 'map', 'auditregistration_v1alpha1.AuditSinkSpec'),
    ),
    'AuditSinkList': (
        ('apiVersion', 13, 18, 'primitive', 'string'),
        ('items', 13, 18, 'list', 'auditregistration_v1alpha1.AuditSink', None, None, 'atomic', None, 1),
        ('kind', 13, 18, 'primitive', 'string'),
        ('metadata', 13, 18, 'map', 'meta_v1.ListMeta'),
    ),
    'AuditSinkSpec': (
        ('policy', 13, 18, 'map', 'auditregistration_v1alpha1.Policy'),
        ('webhook', 13, 18, 'map', 'auditregistration_v1alpha1.Webhook'),
    ),
    'Policy': (
        ('level', 13, 18, 'primitive', 'string'),
        ('stages', 13, 18, 'list', 'string', None, None, 'atomic', None, 1),
    ),
    'ServiceReference': (
        ('name', 13, 18, 'primitive', 'string'),
        ('namespace', 13, 18, 'primitive', 'string'),
        ('path', 13, 18, 'primitive', 'string'),
        ('port', 15, 18, 'primitive', 'integer'),
    ),
    'Webhook': (
        ('clientConfig', 13, 18, 'map', 'auditregistration_v1alpha1.WebhookClientConfig'),
        ('throttle', 13, 18, 'map', 'auditregistration_v1alpha1.WebhookThrottleConfig'),
    ),
    'WebhookClientConfig': (
        ('caBundle', 13, 18, 'primitive', 'string'),
        ('service', 13, 18, 'map', 'auditregistration_v1alpha1.ServiceReference'),
        ('url', 13, 18, 'primitive', 'string'),
    ),
    'WebhookThrottleConfig': (
        ('burst', 13, 18, 'primitive', 'integer'),
        ('qps', 13, 18, 'primitive', 'integer'),
    ),
}
