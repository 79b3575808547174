"""The untrusted side: what runs a student's code."""
