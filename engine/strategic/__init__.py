"""Strategic merge patches: make, apply, combine and compare for conflicts, exactly as in the reference.

Only the reference's behaviour belongs here, including its bugs. Corrected behaviour is in `lossless`.
"""
