"""What instructors run: build chapters from text, audit their checks, rebuild and grade submissions."""
