#!/usr/bin/env bash
# Makes .venv with the pinned packages of the requirements file that is named.
# Needs Python 3.11 or newer; on Debian as root it also installs python3-venv if that is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
requirements=${1:?usage: scripts/setup.sh requirements.txt}

find_python() {
    local name
    for name in python3.11 python3 python3.12 python3.13 python3.14; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$name"
            return
        fi
    done
    echo "error: Python 3.11 or newer is required and none was found on PATH" >&2
    return 2
}

works() { .venv/bin/python -m pip --version >/dev/null 2>&1; }

make_venv() {
    "$1" -m venv .venv >/dev/null 2>&1 && works && return
    if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -y -qq python3-venv >/dev/null
        rm -rf .venv
        "$1" -m venv .venv && works && return
    fi
    echo "error: '$1 -m venv' failed; on Debian: apt-get install python3-venv" >&2
    return 2
}

if ! works; then
    rm -rf .venv
    python=$(find_python)
    make_venv "$python"
fi
export PIP_DISABLE_PIP_VERSION_CHECK=1
.venv/bin/python -m pip install --quiet -r "$requirements"
.venv/bin/python -m pip install --quiet --no-deps -e .
