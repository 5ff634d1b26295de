"""How merging differs between releases, versions and specifications: the changes, how bad they are, and replays.

`reports` turns them into text, Markdown and facts for programs; `html` makes pages of them.
"""
