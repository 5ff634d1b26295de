"""The documentation site: `python -m website` builds it in `build/site`, `python -m website.check` checks it.

The site has the pages of `docs/`, and pages generated from the tables: lint codes, kinds across releases, and
release changes. A playground in `build/playground` is copied into the site.
"""
