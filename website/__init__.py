"""The documentation as a site: `python -m website` builds it in `build/site`, `python -m website.check` looks at it.

The pages are those of `docs/`, and pages that are made from the tables: each code of lint, each kind through the
releases, and what each release changed. A playground that was made in `build/playground` goes into the site as it is.
"""
