"""Declared validation of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, enforced since, rule, arguments
RULES = {
    'CertificateSigningRequest': (
        ('', 34, None, 36, 'supportsSubresource', '/status'),
        ('', 34, None, 36, 'supportsSubresource', '/approval'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('status', 34, None, None, 'type', 'certificates_v1.CertificateSigningRequestStatus'),
    ),
    'CertificateSigningRequestStatus': (
        ('conditions', 34, None, None, 'type', '[]certificates_v1.CertificateSigningRequestCondition'),
        ('conditions', 34, None, 37, 'optional'),
        ('conditions', 34, None, 37, 'item', ('type', 'Approved'), ('zeroOrOneOfMember',)),
        ('conditions', 34, None, 37, 'item', ('type', 'Denied'), ('zeroOrOneOfMember',)),
        ('conditions', 34, None, 37, 'listType', 'map'),
        ('conditions', 34, None, 37, 'listMapKey', 'type'),
        ('conditions', 35, None, 37, 'customUnique'),
    ),
    'ClusterTrustBundle': (
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('spec', 37, None, None, 'type', 'certificates_v1.ClusterTrustBundleSpec'),
    ),
    'ClusterTrustBundleSpec': (
        ('signerName', 37, None, None, 'type', 'string'),
        ('signerName', 37, None, None, 'optional'),
        ('signerName', 37, None, None, 'immutable'),
    ),
    'PodCertificateRequest': (
        ('', 37, None, 37, 'supportsSubresource', '/status'),
        ('metadata', 37, None, None, 'type', 'meta_v1.ObjectMeta'),
        ('status', 37, None, None, 'type', 'certificates_v1.PodCertificateRequestStatus'),
    ),
    'PodCertificateRequestStatus': (
        ('conditions', 37, None, None, 'type', '[]meta_v1.Condition'),
        ('conditions', 37, None, None, 'optional'),
        ('conditions', 37, None, None, 'listType', 'map'),
        ('conditions', 37, None, None, 'listMapKey', 'type'),
    ),
}
