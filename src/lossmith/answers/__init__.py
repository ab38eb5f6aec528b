"""Answers: the questions that combine analysis, calibration, dimensions and constructions."""
