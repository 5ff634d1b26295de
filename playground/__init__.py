"""The playground: a page that merges in the browser, with this very engine.

`python -m playground.build` makes it.

`page` is what the browser loads; `bridge` runs in the browser, on Pyodide, and answers by running the command line;
`cases` are the examples of the documentation that are one click away.
"""
