#!/bin/sh
# Serves the dashboard: WORKERS processes of Streamlit, among which Caddy shares out visitors on ADDRESS and PORT.
# Results, runs and links are the same in each of them; a cookie leads a visitor back to the process of their session.
set -eu

export ADDRESS="${ADDRESS:-127.0.0.1}" PORT="${PORT:-8501}" WORKERS="${WORKERS:-1}" PYTHON="${PYTHON:-python}"

if [ "$WORKERS" -eq 1 ]; then
    exec "$PYTHON" -m streamlit run dashboard/app.py --server.address "$ADDRESS" --server.port "$PORT"
fi
command -v caddy >/dev/null || {
    echo "WORKERS=$WORKERS needs Caddy to share out visitors: install the package caddy, or set WORKERS=1" >&2
    exit 1
}
export FIRST=$((PORT + 1)) RUNNING="$(mktemp -d)"
export UPSTREAMS="$(seq -s ' ' -f '127.0.0.1:%.0f' "$FIRST" $((PORT + WORKERS)))"
exec "$PYTHON" -m supervisor.supervisord --nodaemon --configuration dashboard/server/supervisord.conf
