"""Folders that real engines write: each is written here, and read by the dataset as it lies.

Run by `make engines`, in an environment of its own: the engines take three minutes to install and ten seconds to
import. ``python -m tests.engines.stores FOLDER`` keeps what was written; the archives in ``tests/datasets/stores`` are
made so.
"""

import sys
import tarfile
import tempfile
from pathlib import Path

import chromadb
import lancedb
import numpy as np
import qdrant_edge
from qdrant_client import QdrantClient, models

from core.datasets.embeddings import Embeddings
from tests.datasets import store_contents
from tests.datasets.store_contents import DIMENSION, after_changes

LARGE = 1100
"""Vectors of which Chroma writes a thousand into its index and keeps the others in its queue."""


def main(folder: Path) -> int:
    """Write a folder of each engine and read it back."""
    written = {
        "chroma_small": chroma(folder / "chroma_small", 30),
        "chroma": chroma(folder / "chroma", LARGE),
        "qdrant": qdrant(folder / "qdrant"),
        "notes.snapshot": qdrant_snapshot(folder / "notes.snapshot"),
        "lance": lance(folder / "lance"),
    }
    for name, expected in written.items():
        vectors = Embeddings(source=str(folder / name), owner_column="owner").load()
        assert set(vectors.ids) == set(expected), f"{name}: other ids"
        wrong = max(np.abs(expected[one] - row).max() for one, row in zip(vectors.ids, vectors.values, strict=True))
        assert wrong < 1e-6, f"{name}: vectors differ by {wrong}"
        assert vectors.texts == tuple(f"text {one}" for one in vectors.ids), f"{name}: other texts"
        assert set(vectors.owners) == {"anna", "ben"}, f"{name}: other owners"
        print(f"{name}: {len(vectors):,} vectors, {vectors.described}")  # noqa: T201
    return 0


def chroma(path: Path, count: int) -> dict[str, np.ndarray]:
    """Write a collection, then delete a vector and change another."""
    collection = chromadb.PersistentClient(str(path)).create_collection("notes", metadata={"hnsw:space": "cosine"})
    rows = list(store_contents.rows(count))
    for start in range(0, count, 500):
        some = rows[start : start + 500]
        collection.add(
            ids=[str(row.id) for row in some],
            embeddings=[row.vector for row in some],
            documents=[row.text for row in some],
            metadatas=[{"owner": row.owner} for row in some],
        )
    collection.delete(ids=["3"])
    collection.update(ids=["5"], embeddings=[rows[0].vector])
    return after_changes(count)


def qdrant(path: Path) -> dict[str, np.ndarray]:
    """Write a collection in Qdrant's local mode, then delete a point and change another."""
    client, rows = QdrantClient(path=str(path)), list(store_contents.rows(30))
    config = models.VectorParams(size=DIMENSION, distance=models.Distance.COSINE)
    client.create_collection("notes", vectors_config=config)
    points = [
        models.PointStruct(id=row.id, vector=row.vector.tolist(), payload={"text": row.text, "owner": row.owner})
        for row in rows
    ]
    client.upsert("notes", points)
    client.delete("notes", points_selector=[3])
    client.update_vectors("notes", [models.PointVectors(id=5, vector=rows[0].vector.tolist())])
    client.close()
    return after_changes(30)


def qdrant_snapshot(path: Path) -> dict[str, np.ndarray]:
    """Write two shards by Qdrant's engine, and archive them as a server does: each segment in an archive of its own."""
    rows = list(store_contents.rows(30))
    config = qdrant_edge.EdgeConfig(
        vectors=qdrant_edge.EdgeVectorParams(size=DIMENSION, distance=qdrant_edge.Distance.Cosine)
    )
    with tempfile.TemporaryDirectory() as name, tarfile.open(path, "w") as archive:
        for number, some in enumerate((rows[:20], rows[20:])):
            folder = Path(name) / str(number)
            shard = qdrant_edge.EdgeShard.create(str(folder), config)
            shard.update(
                qdrant_edge.UpdateOperation.upsert_points(
                    [
                        qdrant_edge.Point(
                            id=row.id, vector=row.vector.tolist(), payload={"text": row.text, "owner": row.owner}
                        )
                        for row in some
                    ]
                )
            )
            if not number:
                shard.update(qdrant_edge.UpdateOperation.delete_points([3]))
                changed = qdrant_edge.PointVectors(id=5, vector=rows[0].vector.tolist())
                shard.update(qdrant_edge.UpdateOperation.update_vectors([changed]))
            shard.flush()
            shard.close()
            for segment in (folder / "segments").iterdir():
                alone = Path(name) / f"{segment.name}.tar"
                with tarfile.open(alone, "w") as inner:
                    inner.add(segment, "snapshot/files")
                archive.add(alone, f"./{number}/segments/{alone.name}")
            archive.add(folder / "wal", f"./{number}/wal")
    return after_changes(30)


def lance(path: Path) -> dict[str, np.ndarray]:
    """Write a LanceDB table."""
    rows = [
        {"vector": row.vector, "text": row.text, "id": row.id, "owner": row.owner} for row in store_contents.rows(30)
    ]
    lancedb.connect(str(path)).create_table("notes", rows)
    return {str(row["id"]): row["vector"] for row in rows}


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(main(Path(sys.argv[1])))
    with tempfile.TemporaryDirectory() as temporary:
        sys.exit(main(Path(temporary)))
