"""The playground: a page that merges in the browser, with the same engine.

`python -m playground.build` builds it.

`page` is loaded by the browser. `bridge` runs in the browser, on Pyodide, and runs the command line. `cases` are the
examples of the documentation.
"""
