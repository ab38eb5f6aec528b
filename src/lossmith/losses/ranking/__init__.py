"""Rankings, preferences and gains of documents: what losses for ranking are made of."""
