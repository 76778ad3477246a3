#!/bin/sh
# Serves the dashboard: WORKERS processes of Streamlit, among which Caddy shares out visitors on ADDRESS and PORT.
# Results, runs and links are the same in each of them; a cookie leads a visitor back to the process of their session.
set -eu
cd "$(dirname "$0")/../.."

export ADDRESS="${ADDRESS:-127.0.0.1}" PORT="${PORT:-8501}" WORKERS="${WORKERS:-1}" PYTHON="${PYTHON:-python}"
export STREAMLIT_SERVER_HEADLESS="${STREAMLIT_SERVER_HEADLESS:-true}"

refuse() {
    echo "$1" >&2
    exit 2
}

is_number() { case "$1" in '' | *[!0-9]* | ??????*) return 1 ;; esac; }

is_number "$WORKERS" && [ "$WORKERS" -ge 1 ] && [ "$WORKERS" -le 64 ] \
    || refuse "WORKERS must be a number from 1 to 64. Got '$WORKERS' instead."
is_number "$PORT" && [ "$PORT" -ge 1 ] && [ $((PORT + WORKERS)) -le 65535 ] \
    || refuse "PORT must be a number from 1 to $((65535 - WORKERS)). Got '$PORT' instead."

NAME="$ADDRESS"
case "$ADDRESS" in
    0.0.0.0 | ::)
        NAME=localhost
        [ -n "${STREAMLIT_SERVER_ALLOWED_HOSTS:-}" ] || echo "Others reach this server once it knows its name or address:" \
            "STREAMLIT_SERVER_ALLOWED_HOSTS=NAME STREAMLIT_BROWSER_SERVER_ADDRESS=NAME make serve ADDRESS=$ADDRESS"
        ;;
esac

if [ "$WORKERS" -eq 1 ]; then
    exec "$PYTHON" -m streamlit run dashboard/app.py --server.address "$ADDRESS" --server.port "$PORT"
fi

command -v caddy >/dev/null \
    || refuse "WORKERS=$WORKERS needs Caddy to share out visitors: install the package caddy, or set WORKERS=1"
TELLTALE_PROXIES="$(echo "${TELLTALE_PROXIES:-}" | tr ',' ' ')"
export TELLTALE_PROXIES
FIRST=$((PORT + 1))
taken=$("$PYTHON" -c '
import socket, sys
for port in range(int(sys.argv[1]), int(sys.argv[2]) + 1):
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            print(port)
' "$PORT" $((PORT + WORKERS)))
[ -z "$taken" ] || refuse "These ports are taken: $(echo $taken). WORKERS=$WORKERS needs $PORT to $((PORT + WORKERS)); choose another PORT."

RUNNING="$(mktemp -d)"
UPSTREAMS="$(seq -s ' ' -f '127.0.0.1:%.0f' "$FIRST" $((PORT + WORKERS)))"
# Each process would print an address of its own, which leads past Caddy.
export FIRST RUNNING UPSTREAMS STREAMLIT_LOGGER_HIDE_WELCOME_MESSAGE=true
echo "Telltale answers on http://${STREAMLIT_BROWSER_SERVER_ADDRESS:-$NAME}:$PORT ($WORKERS processes)"
exec "$PYTHON" -c '
import os, shutil, sys
from supervisor import supervisord
try:
    supervisord.main(sys.argv[1:])
finally:
    shutil.rmtree(os.environ["RUNNING"], ignore_errors=True)
' --nodaemon --configuration dashboard/server/supervisord.conf
