"""Admission webhooks, and conversion webhooks of CustomResourceDefinitions.

Only a server calls webhooks. Commands that work offline, and direct calls of an embedded cluster, never do.

Modules: `calls` (the calls of one request, outside of the store's transaction), `endpoints` (URLs and Services),
`client` (one HTTP request), `certificates` (verification of a server's certificate), `responses` (bodies of responses),
`source` (the webhooks of a cluster), `reviews` (AdmissionReview), `admission` (the webhooks of one request), `patches`
(JSON patches of mutating webhooks) and `conversion` (ConversionReview).
"""
