"""What is known of kinds besides how they merge: names, words for them, and facts that no specification states."""
