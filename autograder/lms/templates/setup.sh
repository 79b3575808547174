#!/usr/bin/env bash
# Gradescope runs this once, as root on Ubuntu, when it builds the container's image: it installs the environment.
set -euo pipefail
PREFIX="${AUTOGRADER_PREFIX:-/autograder}"
COURSE="$PREFIX/source/course"

export DEBIAN_FRONTEND=noninteractive
apt-get update
# The course needs Python 3.11 or later: Ubuntu 22.04 has python3.11 beside its own, 24.04 comes with 3.12.
apt-get install -y --no-install-recommends python3.11 python3.11-venv \
    || apt-get install -y --no-install-recommends python3 python3-venv
# The grader's sandbox, for containers that allow it; see run_autograder.
apt-get install -y --no-install-recommends bubblewrap || echo "bubblewrap could not be installed"

PYTHON="$(command -v python3.11 || command -v python3)"
"$PYTHON" -m venv "$PREFIX/venv"
# The small build of PyTorch, without CUDA.
"$PREFIX/venv/bin/python" -m pip install --no-cache-dir --quiet -r "$COURSE/requirements.lock" \
    --extra-index-url https://download.pytorch.org/whl/cpu
