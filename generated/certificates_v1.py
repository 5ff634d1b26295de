"""Merge rules of one API group and version. Printed by `kubemerge generate`; do not edit."""

# Columns: field, first, last, kind, of, strategies, merge_key, list_type, map_keys, derived, map_type, default, free_keys, open
TYPES = {
    'CertificateSigningRequest': (
        ('apiVersion', 19, None, 'primitive', 'string'),
        ('kind', 19, None, 'primitive', 'string'),
        ('metadata', 19, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 19, None, 'map', 'certificates_v1.CertificateSigningRequestSpec'),
        ('status', 19, None, 'map', 'certificates_v1.CertificateSigningRequestStatus'),
    ),
    'CertificateSigningRequestCondition': (
        ('lastTransitionTime', 19, None, 'primitive', 'string'),
        ('lastUpdateTime', 19, None, 'primitive', 'string'),
        ('message', 19, None, 'primitive', 'string'),
        ('reason', 19, None, 'primitive', 'string'),
        ('status', 19, None, 'primitive', 'string'),
        ('type', 19, None, 'primitive', 'string', None, None, None, None, None, None, ''),
    ),
    'CertificateSigningRequestList': (
        ('apiVersion', 19, None, 'primitive', 'string'),
        ('items', 19, None, 'list', 'certificates_v1.CertificateSigningRequest', None, None, 'atomic', None, 1),
        ('kind', 19, None, 'primitive', 'string'),
        ('metadata', 19, None, 'map', 'meta_v1.ListMeta'),
    ),
    'CertificateSigningRequestSpec': (
        ('expirationSeconds', 22, None, 'primitive', 'integer'),
        ('extra', 19, None, 'map', 'certificates_v1.CertificateSigningRequestSpec.extra{}', None, None, None, None, None, None, None, 1),
        ('groups', 19, None, 'list', 'string', None, None, 'atomic'),
        ('request', 19, None, 'primitive', 'string'),
        ('signerName', 19, None, 'primitive', 'string'),
        ('uid', 19, None, 'primitive', 'string'),
        ('usages', 19, None, 'list', 'string', None, None, 'atomic'),
        ('username', 19, None, 'primitive', 'string'),
    ),
    'CertificateSigningRequestSpec.extra{}': (
        ('', 19, None, 'list', 'string', None, None, 'atomic', None, 1),
    ),
    'CertificateSigningRequestStatus': (
        ('certificate', 19, None, 'primitive', 'string'),
        ('conditions', 19, None, 'list', 'certificates_v1.CertificateSigningRequestCondition', None, None, 'map', ('type',)),
    ),
    'ClusterTrustBundle': (
        ('apiVersion', 37, None, 'primitive', 'string'),
        ('kind', 37, None, 'primitive', 'string'),
        ('metadata', 37, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 37, None, 'map', 'certificates_v1.ClusterTrustBundleSpec'),
    ),
    'ClusterTrustBundleList': (
        ('apiVersion', 37, None, 'primitive', 'string'),
        ('items', 37, None, 'list', 'certificates_v1.ClusterTrustBundle', None, None, 'atomic', None, 1),
        ('kind', 37, None, 'primitive', 'string'),
        ('metadata', 37, None, 'map', 'meta_v1.ListMeta'),
    ),
    'ClusterTrustBundleSpec': (
        ('signerName', 37, None, 'primitive', 'string'),
        ('trustBundle', 37, None, 'primitive', 'string'),
    ),
    'PodCertificateRequest': (
        ('apiVersion', 37, None, 'primitive', 'string'),
        ('kind', 37, None, 'primitive', 'string'),
        ('metadata', 37, None, 'map', 'meta_v1.ObjectMeta'),
        ('spec', 37, None, 'map', 'certificates_v1.PodCertificateRequestSpec'),
        ('status', 37, None, 'map', 'certificates_v1.PodCertificateRequestStatus'),
    ),
    'PodCertificateRequestList': (
        ('apiVersion', 37, None, 'primitive', 'string'),
        ('items', 37, None, 'list', 'certificates_v1.PodCertificateRequest', None, None, 'atomic', None, 1),
        ('kind', 37, None, 'primitive', 'string'),
        ('metadata', 37, None, 'map', 'meta_v1.ListMeta'),
    ),
    'PodCertificateRequestSpec': (
        ('maxExpirationSeconds', 37, None, 'primitive', 'integer'),
        ('nodeName', 37, None, 'primitive', 'string'),
        ('nodeUID', 37, None, 'primitive', 'string'),
        ('podName', 37, None, 'primitive', 'string'),
        ('podUID', 37, None, 'primitive', 'string'),
        ('serviceAccountName', 37, None, 'primitive', 'string'),
        ('serviceAccountUID', 37, None, 'primitive', 'string'),
        ('signerName', 37, None, 'primitive', 'string'),
        ('stubPKCS10Request', 37, None, 'primitive', 'string'),
        ('unverifiedUserAnnotations', 37, None, 'map', 'string', None, None, None, None, None, None, None, 1),
    ),
    'PodCertificateRequestStatus': (
        ('beginRefreshAt', 37, None, 'primitive', 'string'),
        ('certificateChain', 37, None, 'primitive', 'string'),
        ('conditions', 37, None, 'list', 'meta_v1.Condition', 'merge', 'type', 'map', ('type',)),
        ('notAfter', 37, None, 'primitive', 'string'),
        ('notBefore', 37, None, 'primitive', 'string'),
    ),
}
