#!/bin/sh
# Serves the dashboard on this machine and opens its tour in a browser as soon as it answers; ends with Ctrl-C.
set -eu
cd "$(dirname "$0")/../.."

export PORT="${PORT:-8501}" PYTHON="${PYTHON:-python}" WORKERS=1 ADDRESS=127.0.0.1
# Another server there would answer in place of this one. What is no port, serve.sh refuses.
free=$("$PYTHON" -c '
import socket, sys
for port in range(int(sys.argv[1]), 65535) if sys.argv[1].isdecimal() and int(sys.argv[1]) else ():
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except (OSError, OverflowError):
            continue
        print(port)
        break
' "$PORT")
[ -n "$free" ] || exec sh dashboard/server/serve.sh
if [ "$free" != "$PORT" ]; then
    echo "Port $PORT is taken or not allowed. Another is free: PORT=$free make demo" >&2
    exit 2
fi
TOUR="http://127.0.0.1:$PORT/tour"

"$PYTHON" -c '
import sys, time, urllib.error, urllib.request, webbrowser
server, tour = sys.argv[1:]
for _ in range(600):
    try:
        urllib.request.urlopen(f"{server}/_stcore/health", timeout=1).close()
    except (OSError, urllib.error.URLError):
        time.sleep(0.1)
        continue
    print(f"The tour: {tour}", flush=True)
    webbrowser.open(tour)
    break
' "http://127.0.0.1:$PORT" "$TOUR" &
exec sh dashboard/server/serve.sh
