"""The two geometric objects of the paper, trigger sets and affine dimension, computed exactly."""
