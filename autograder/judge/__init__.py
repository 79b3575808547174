"""The trusted side: what judges the data that a student's code gives back."""
