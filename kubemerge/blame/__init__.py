"""The origin of each field: the commit of its lines in git, its managers in live, and the effect of an apply.

`history` runs `git blame`, `places` finds the lines of a value, and `sources` joins both for the files of a config.
`fields` adds the owners of live values, `facts` has the result as JSON. The reasons come from the engine and from
`ownership.who_set`.
"""
