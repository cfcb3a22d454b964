"""Properties that hold for every question, tried on random ones."""
