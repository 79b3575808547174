"""What students hand in: found, read leniently, rebuilt from the released notebook.

In: the folders of submitted/. Out: the template's cells with the student's answers in them, and a list of repairs.
No student's code runs here; what cannot be read costs its own submission alone.
May import: the ground floor, execution.
"""
