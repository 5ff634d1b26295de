"""Declared validation of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, enforced since, rule, arguments
RULES = {
    'CrossVersionObjectReference': (
        ('kind', 37, None, None, 'type', 'string'),
        ('kind', 37, None, None, 'required'),
        ('name', 37, None, None, 'type', 'string'),
        ('name', 37, None, None, 'required'),
    ),
    'HorizontalPodAutoscaler': (
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('spec', 36, None, None, 'type', 'autoscaling_v1.HorizontalPodAutoscalerSpec'),
    ),
    'HorizontalPodAutoscalerSpec': (
        ('scaleTargetRef', 37, None, None, 'type', 'autoscaling_v1.CrossVersionObjectReference'),
        ('minReplicas', 36, None, None, 'type', '*int32'),
        ('minReplicas', 36, None, 37, 'optional'),
        ('minReplicas', 36, None, 37, 'ifEnabled', 'HPAScaleToZero', ('minimum', 0)),
        ('minReplicas', 36, None, 37, 'ifDisabled', 'HPAScaleToZero', ('minimum', 1)),
        ('maxReplicas', 36, None, None, 'type', 'int32'),
        ('maxReplicas', 36, None, 37, 'required'),
        ('maxReplicas', 36, None, 37, 'minimum', 1),
    ),
    'Scale': (
        ('', 34, None, 36, 'isSubresource', '/scale'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('metadata', 37, None, 37, 'opaqueType'),
        ('spec', 34, None, None, 'type', 'autoscaling_v1.ScaleSpec'),
    ),
    'ScaleSpec': (
        ('replicas', 34, None, None, 'type', 'int32'),
        ('replicas', 34, None, 37, 'minimum', 0),
    ),
}
