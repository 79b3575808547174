"""nbgrader's gradebook and folders: the one writer, the graded notebooks, feedback, and our steps in stock nbgrader.

In: results. Out: points and comments in the gradebook, autograded/ and feedback/.
`recorder` writes; `manual_grades` reads what people gave; `nbgrader_steps` is for nbgrader's own commands.
May import: the ground floor, execution, submissions.
"""
