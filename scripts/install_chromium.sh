#!/usr/bin/env bash
# Installs Debian's chromium for the browser test of the report; as root only, and only if missing.
# Without it that test is skipped, and says so.
set -euo pipefail
if command -v chromium >/dev/null || command -v chromium-browser >/dev/null; then
    exit 0
fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null; then
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null
else
    echo "no chromium, and not root on Debian: the browser test will be skipped" >&2
fi
