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
        ('spec', 36, None, None, 'type', 'autoscaling_v2.HorizontalPodAutoscalerSpec'),
        ('status', 37, None, None, 'type', 'autoscaling_v2.HorizontalPodAutoscalerStatus'),
    ),
    'HorizontalPodAutoscalerSpec': (
        ('scaleTargetRef', 37, None, None, 'type', 'autoscaling_v2.CrossVersionObjectReference'),
        ('minReplicas', 36, None, None, 'type', '*int32'),
        ('minReplicas', 36, None, 37, 'optional'),
        ('minReplicas', 36, None, 37, 'ifEnabled', 'HPAScaleToZero', ('minimum', 0)),
        ('minReplicas', 36, None, 37, 'ifDisabled', 'HPAScaleToZero', ('minimum', 1)),
        ('maxReplicas', 36, None, None, 'type', 'int32'),
        ('maxReplicas', 36, None, 37, 'required'),
        ('maxReplicas', 36, None, 37, 'minimum', 1),
        ('metrics', 37, None, None, 'type', '[]autoscaling_v2.MetricSpec'),
        ('metrics', 37, None, None, 'optional'),
    ),
    'HorizontalPodAutoscalerStatus': (
        ('currentMetrics', 37, None, None, 'type', '[]autoscaling_v2.MetricStatus'),
        ('currentMetrics', 37, None, None, 'optional'),
    ),
    'MetricSpec': (
        ('object', 37, None, None, 'type', '*autoscaling_v2.ObjectMetricSource'),
        ('object', 37, None, None, 'optional'),
        ('object', 37, None, None, 'opaqueType'),
    ),
    'MetricStatus': (
        ('object', 37, None, None, 'type', '*autoscaling_v2.ObjectMetricStatus'),
        ('object', 37, None, None, 'optional'),
        ('object', 37, None, None, 'opaqueType'),
    ),
    'ObjectMetricSource': (
        ('describedObject', 37, None, None, 'type', 'autoscaling_v2.CrossVersionObjectReference'),
    ),
    'ObjectMetricStatus': (
        ('describedObject', 37, None, None, 'type', 'autoscaling_v2.CrossVersionObjectReference'),
    ),
}
