"""Canvas, Moodle and Gradescope: who is in the course, what came in their zips, the grades, the feedback's way back.

In: rosters and zips as these systems export them. Out: roster.csv and nbgrader's students, the folders of submitted/,
grades and zips of feedback pages that the systems take. A zip is opened by a process of its own alone (`archives`).
May import: the ground floor, execution, submissions, gradebook, report.
"""
