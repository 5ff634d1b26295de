"""Operations on one object after the other."""
