"""Essays by the hundred: read a question's answers side by side, mark them in a sheet, bring the points back.

In: the graded notebooks of a course, sheets with points and comments. Out: a page and a sheet for each question; points
and comments in the gradebook. Who wrote an answer is in neither: an answer has a number made from the course's secret.
`requests` is for what students ask once they have their points, under their names.
May import: the ground floor, execution, submissions, gradebook, authoring, report, grading.
"""
