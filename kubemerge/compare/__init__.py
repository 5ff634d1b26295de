"""How merging differs between releases, versions and specifications: the changes, how bad they are, and replays.

`reports` puts them into text, Markdown and facts for programs; pages are made in `html`.
"""
