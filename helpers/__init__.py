"""What notebooks import.

Its rooms, from the ground up; each may import those before it, never those after it, and never `autograder`:
errors, installed, hidden_modules, files, palette, device, words, cells; checks; plots; data; pretrained; training;
course; models; search; assistant; experiments; chapters.
"""
