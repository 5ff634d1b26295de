"""Strategic merge patches: made, applied, combined, and compared for conflicts, exactly as the reference does it.

Only what the reference does belongs here, with its bugs. What it should do instead is in `lossless`.
"""
