FROM python:3.11-slim

# An index that holds CPU builds of torch, searched beside the default one: a CPU build wins where both have the version.
ARG TORCH_INDEX_URL=""

WORKDIR /app
COPY requirements.txt requirements.lock ./
RUN python -m pip install --no-cache-dir --require-hashes --no-deps -r requirements.lock \
    && python -m pip install --no-cache-dir ${TORCH_INDEX_URL:+--extra-index-url "$TORCH_INDEX_URL"} -r requirements.txt

# Needed for WORKERS above 1 only.
RUN apt-get update && apt-get install --yes --no-install-recommends caddy && rm -rf /var/lib/apt/lists/*

RUN useradd --uid 1000 --create-home telltale \
    && install --directory --owner telltale --group telltale /var/lib/telltale

COPY LICENSE README.md ./
COPY precomputed precomputed
COPY core core
COPY dashboard dashboard
RUN python -m compileall -q core dashboard

ENV PYTHONPATH=/app \
    PYTHONUNBUFFERED=1 \
    TELLTALE_HOME=/var/lib/telltale \
    HF_HOME=/var/lib/telltale/huggingface \
    ADDRESS=0.0.0.0 \
    WORKERS=1 \
    PORT=8501

# Machine code is kept in this user's home, never in the volume: it depends on the processor, and is run as it is found.
USER telltale
VOLUME /var/lib/telltale
EXPOSE 8501
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import os; from urllib.request import urlopen; urlopen(f'http://127.0.0.1:{os.environ[\"PORT\"]}/_stcore/health', timeout=4)"]
CMD ["sh", "dashboard/server/serve.sh"]
