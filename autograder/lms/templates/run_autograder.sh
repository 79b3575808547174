#!/usr/bin/env bash
# Gradescope runs this once for each submission, in a fresh container; it grades the notebook of one chapter.
#
#   submission/             what the student uploaded: the notebook, under any name; of several the one with answers
#   source/                 the zip that this file came in, unpacked
#   results/results.json    what Gradescope reads; what is printed here, the instructor alone sees
#
# What protects what. The container keeps this submission from other students' work, from the gradebook and from your
# machine. Inside it this script is root, and so is the student's code unless the grader's own sandbox holds: Docker's
# usual settings forbid the namespaces that it is made of. Where they do, this script gives 0 points and says why, unless
# you wrote the zip with --no-sandbox: then code can read the solutions and hidden tests in source/, use the network, and
# write results.json. The checks run in another process in either case. results.json says under extra_data.protections
# what held, and so does what is printed here. Where that is not enough, grade with `python -m autograder grade` on a
# machine of your own and upload the points (`export --format csv`).
#
# The score is written after the student's code has ended; until then the file says 0 points, and why.
set -uo pipefail
PREFIX="${AUTOGRADER_PREFIX:-/autograder}"       # the variables are for trying this script elsewhere
PYTHON="${AUTOGRADER_PYTHON:-$PREFIX/venv/bin/python}"
SECONDS_IN_ALL="${AUTOGRADER_SECONDS:-540}"      # Gradescope's own limit is ten minutes, unless you set another
CHAPTER="@CHAPTER@"
SANDBOX="@SANDBOX@"                              # --sandbox or --no-sandbox, as the zip was written
RESULTS="$PREFIX/results/results.json"

export OMP_NUM_THREADS=1 PYTHONHASHSEED=0 MPLBACKEND=agg

# Write a results.json with 0 points and one line of explanation.
no_points() {
    "$PYTHON" -c 'import json, sys; print(json.dumps({"score": 0, "output": sys.argv[1], "output_format": "text"}))' \
        "$1" > "$RESULTS"
}

mkdir -p "$PREFIX/results"
no_points "The grader was stopped before it could give points; tell your instructor."

# What the random inputs of hidden tests depend on; without it everybody could compute them.
BOW2LORA_SECRET="$(cat "$PREFIX/source/course/secret" 2> /dev/null)"
if [ -z "$BOW2LORA_SECRET" ]; then
    no_points "The autograder has no secret; tell your instructor to write its zip anew."
    exit 0
fi
export BOW2LORA_SECRET

handed_in="$PREFIX/submission"
if [ -z "$(find "$handed_in" -type f \( -name '*.ipynb*' -o -name '*.zip' -o -name '*.py' \) | head -n 1)" ]; then
    no_points "No notebook was handed in; upload $CHAPTER.ipynb."
    exit 0
fi

private="$(mktemp -d)"
trap 'rm -rf "$private"' EXIT
cd "$PREFIX/source/course" || exit 1
timeout --kill-after=10 "$SECONDS_IN_ALL" \
    "$PYTHON" -m autograder check "$handed_in" --chapter "$CHAPTER" "$SANDBOX" \
    --gradescope "$private/results.json" 2> "$private/stderr"
status=$?  # 0: all points; 1: not all; anything else: no result

if [ "$status" -le 1 ] && [ -s "$private/results.json" ]; then
    mv -f "$private/results.json" "$RESULTS"
elif [ "$status" -eq 124 ] || [ "$status" -eq 137 ]; then
    no_points "The notebook did not end within $SECONDS_IN_ALL seconds."
else
    cat "$private/stderr"
    no_points "The notebook could not be graded: $(tail -n 1 "$private/stderr" | cut -c 1-300)"
fi
