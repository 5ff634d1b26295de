"""Declared validation of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, enforced since, rule, arguments
RULES = {
    'ControllerRevision': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
    ),
    'DaemonSet': (
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('spec', 37, None, None, 'type', 'apps_v1.DaemonSetSpec'),
    ),
    'DaemonSetSpec': (
        ('template', 37, None, None, 'type', 'core_v1.PodTemplateSpec'),
    ),
    'Deployment': (
        ('', 37, None, 37, 'supportsSubresource', '/scale'),
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('spec', 37, None, None, 'type', 'apps_v1.DeploymentSpec'),
    ),
    'DeploymentSpec': (
        ('template', 37, None, None, 'type', 'core_v1.PodTemplateSpec'),
    ),
    'ReplicaSet': (
        ('', 37, None, 37, 'supportsSubresource', '/scale'),
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('spec', 37, None, None, 'type', 'apps_v1.ReplicaSetSpec'),
    ),
    'ReplicaSetSpec': (
        ('template', 37, None, None, 'type', 'core_v1.PodTemplateSpec'),
    ),
    'StatefulSet': (
        ('', 37, None, 37, 'supportsSubresource', '/scale'),
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('spec', 37, None, None, 'type', 'apps_v1.StatefulSetSpec'),
    ),
    'StatefulSetSpec': (
        ('selector', 37, None, None, 'type', '*meta_v1.LabelSelector'),
        ('selector', 37, None, None, 'required'),
        ('selector', 37, None, None, 'immutable'),
        ('template', 37, None, None, 'type', 'core_v1.PodTemplateSpec'),
        ('volumeClaimTemplates', 37, None, None, 'type', '[]core_v1.PersistentVolumeClaim'),
        ('volumeClaimTemplates', 37, None, None, 'immutable'),
        ('volumeClaimTemplates', 37, None, None, 'optional'),
        ('volumeClaimTemplates', 37, None, None, 'eachVal', ('opaqueType',)),
        ('serviceName', 37, None, None, 'type', 'string'),
        ('serviceName', 37, None, None, 'immutable'),
        ('serviceName', 37, None, None, 'optional'),
        ('podManagementPolicy', 37, None, None, 'type', '~string'),
        ('podManagementPolicy', 37, None, None, 'immutable'),
        ('podManagementPolicy', 37, None, None, 'optional'),
    ),
}
