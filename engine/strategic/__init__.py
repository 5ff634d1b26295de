"""Strategic merge patches: made, applied, laid together, and compared for conflicts."""
