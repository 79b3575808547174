"""What instructors run: chapters are built from text, their checks audited, submissions rebuilt, run apart and graded.

Its rooms, from the ground up; each may import those before it, and `helpers`, never those after it:
paths, marks, syntax, cells, zips; ipc, linux; runner, judge (never one another); sandbox; execution; submissions;
gradebook; authoring, report, handout; grading; essays; kernels; the command line.
"""

import sys

sys.modules.setdefault(
    "rfc3987_syntax", None
)  # nbformat's jsonschema would import it: 0.8 s, for addresses in no notebook
