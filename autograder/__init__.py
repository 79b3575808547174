"""What instructors run: chapters are built from text, their checks audited, submissions rebuilt, run apart and graded.

Its rooms, from the ground up; each may import those before it, and `helpers`, never those after it:
errors, paths, spelling, terminal, mathml, course_file, cell_marks, syntax, package_names, course_imports, jobs, cells,
zips; ipc, linux, processes; runner, judge (never one another); sandbox; execution; submissions; gradebook; authoring,
report, lms, handout, site; grading; essays; start; the command line.
"""
