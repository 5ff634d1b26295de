"""An attack on the product: kills, damage, hostile input, odd outputs and clocks; `python -m tests.attack` runs it.

`running` calls one module for each kind of attack. Each has a function `attack` that takes a `Trial`, yields what was
tried and how often, and raises a `Loss` for the first thing that must not happen.
"""
