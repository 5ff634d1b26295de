"""Declared validation of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, enforced since, rule, arguments
RULES = {
    'ClusterTrustBundle': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('spec', 37, None, None, 'type', 'certificates_v1beta1.ClusterTrustBundleSpec'),
    ),
    'ClusterTrustBundleSpec': (
        ('signerName', 37, None, None, 'type', 'string'),
        ('signerName', 37, None, None, 'optional'),
        ('signerName', 37, None, None, 'immutable'),
    ),
    'PodCertificateRequest': (
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('status', 37, None, None, 'type', 'certificates_v1beta1.PodCertificateRequestStatus'),
    ),
    'PodCertificateRequestStatus': (
        ('conditions', 37, None, None, 'type', '[]meta_v1.Condition'),
        ('conditions', 37, None, None, 'optional'),
        ('conditions', 37, None, None, 'listType', 'map'),
        ('conditions', 37, None, None, 'listMapKey', 'type'),
    ),
}
