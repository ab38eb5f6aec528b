"""The families of losses for ranking the documents of a query: one file each."""
