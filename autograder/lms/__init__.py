"""Canvas, Moodle and Gradescope: who is in the course, what came in their zips, and the feedback's way back.

In: rosters and zips as these systems export them. Out: roster.csv and nbgrader's students, the folders of submitted/,
zips of feedback pages that the systems take. A zip is opened by the reading process alone (submissions/archives).
May import: the ground floor, execution, submissions, gradebook, report.
"""
