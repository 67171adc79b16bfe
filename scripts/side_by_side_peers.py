"""One peer of recall_side_by_side.py, in its own environment: PEER FOLDER OUT STORES MODEL.

Writes a line for each query to OUT, and prints one line of JSON: documents, seconds to take them in, version.
"""

import asyncio
import importlib.metadata
import json
import os
import re
import shutil
import sys
import time
from pathlib import Path

LIMIT = 50
BATCH = 32
# As many word pieces as the model was trained to read, and as this program gives it.
MOST_PIECES = 256


class MiniLM:
    """Unit vectors of texts: mean of the word pieces, as the model's authors compute them."""

    def __init__(self, folder):
        import onnxruntime
        from tokenizers import Tokenizer

        self.session = onnxruntime.InferenceSession(str(folder / "model.onnx"), providers=["CPUExecutionProvider"])
        self.inputs = {it.name for it in self.session.get_inputs()}
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.enable_truncation(MOST_PIECES)
        self.tokenizer.enable_padding()

    def __call__(self, texts):
        import numpy

        # Texts of one length share a batch, so that little of it is padding.
        order = sorted(range(len(texts)), key=lambda at: len(texts[at]))
        vectors = numpy.zeros((len(texts), 384), dtype=numpy.float32)
        for start in range(0, len(order), BATCH):
            batch = order[start : start + BATCH]
            pieces = self.tokenizer.encode_batch([texts[at] for at in batch])
            mask = numpy.array([it.attention_mask for it in pieces], dtype=numpy.int64)
            given = {
                "input_ids": numpy.array([it.ids for it in pieces], dtype=numpy.int64),
                "attention_mask": mask,
                "token_type_ids": numpy.array([it.type_ids for it in pieces], dtype=numpy.int64),
            }
            hidden = self.session.run(None, {name: given[name] for name in self.inputs})[0]
            mean = (hidden * mask[:, :, None]).sum(axis=1) / mask.sum(axis=1)[:, None]
            vectors[batch] = mean / numpy.linalg.norm(mean, axis=1, keepdims=True)
        return vectors


class Txtai:
    """BM25 and vectors, half and half."""

    package = "txtai-minimal"

    def __init__(self, folder, model):
        from txtai import Embeddings

        embed = MiniLM(model)
        # It takes a plain function alone.
        def transform(texts):
            return embed(texts)

        self.index = Embeddings(hybrid=True, content=False, method="external", transform=transform)

    def add(self, docs):
        self.texts = [doc["id"] for doc in docs]
        self.index.index((at, doc["text"], None) for at, doc in enumerate(docs))

    def search(self, query):
        return [self.texts[at] for at, _ in self.index.search(query, LIMIT)]


class LanceDb:
    """Full text and vectors, joined by rank (its default)."""

    package = "lancedb"

    def __init__(self, folder, model):
        import lancedb

        self.db, self.embed = lancedb.connect(folder), MiniLM(model)

    def add(self, docs):
        vectors = self.embed([doc["text"] for doc in docs])
        rows = [{"id": doc["id"], "text": doc["text"], "vector": vector} for doc, vector in zip(docs, vectors)]
        self.table = self.db.create_table("docs", rows)
        self.table.create_fts_index("text")
        self.table.wait_for_index(["text_idx"])

    def search(self, query):
        found = self.table.search(query_type="hybrid").vector(self.embed([query])[0]).text(query)
        return [row["id"] for row in found.limit(LIMIT).to_list()]


class Chroma:
    """Vectors alone: its local store has no ranking of words."""

    package = "chromadb"

    def __init__(self, folder, model):
        import chromadb

        self.client, self.embed = chromadb.PersistentClient(folder), MiniLM(model)
        cosine = {"hnsw": {"space": "cosine"}}
        self.docs = self.client.create_collection("docs", configuration=cosine, embedding_function=None)

    def add(self, docs):
        vectors = self.embed([doc["text"] for doc in docs])
        most = self.client.get_max_batch_size()
        for start in range(0, len(docs), most):
            part = docs[start : start + most]
            self.docs.add(
                ids=[doc["id"] for doc in part],
                documents=[doc["text"] for doc in part],
                embeddings=vectors[start : start + most],
            )

    def search(self, query):
        return self.docs.query(query_embeddings=self.embed([query]), n_results=LIMIT)["ids"][0]


class McpMemory:
    """An MCP memory server, called as a client of it would: a tool call for each document and each query."""

    package = "mcp-memory-service-lite"

    def __init__(self, folder, model):
        # Where it looks for the model before it would download it.
        place = Path(folder) / ".cache" / "mcp_memory" / "onnx_models" / "all-MiniLM-L6-v2" / "onnx"
        shutil.copytree(model, place)
        self.env = {
            "HOME": folder,
            "PATH": os.environ["PATH"],
            "MCP_MEMORY_STORAGE_BACKEND": "sqlite_vec",
            "MCP_MEMORY_SQLITE_PATH": str(Path(folder) / "memory.db"),
            "MCP_MEMORY_USE_ONNX": "1",
            "MCP_MEMORY_ONNX_ALLOW_DOWNLOAD": "0",
            "MCP_HTTP_ENABLED": "false",
            "MCP_MDNS_ENABLED": "false",
            "HF_HUB_OFFLINE": "1",
        }

    async def measure(self, docs, queries):
        from mcp import ClientSession, StdioServerParameters
        from mcp.client.stdio import stdio_client

        server = StdioServerParameters(
            command=str(Path(sys.executable).parent / "memory"), args=["server"], env=self.env
        )
        with open(os.devnull, "w", encoding="utf-8") as log:
            async with stdio_client(server, errlog=log) as streams, ClientSession(*streams) as session:
                await session.initialize()
                # The first call loads the model, which belongs to no document.
                await session.call_tool("memory_search", {"query": "ready"})
                ids, began = {}, time.perf_counter()
                for doc in docs:
                    # With a conversation it does not turn away what is like an earlier text.
                    note = {"content": doc["text"], "conversation_id": "bench"}
                    said = (await session.call_tool("memory_store", note)).content[0].text
                    for digest in re.findall(r"hash: ([0-9a-f]{64})", said):
                        ids.setdefault(digest, doc["id"])
                seconds, answers = time.perf_counter() - began, []
                if not ids:
                    raise RuntimeError(f"nothing was stored: {said[:200]}")
                for query in queries:
                    asked, began = {"query": query["text"], "mode": "hybrid", "limit": LIMIT}, time.perf_counter()
                    said = "".join(part.text for part in (await session.call_tool("memory_search", asked)).content)
                    ms = (time.perf_counter() - began) * 1000
                    digests = re.findall(r"^ +Hash: ([0-9a-f]{64})", said, re.MULTILINE)
                    answers.append(([ids[digest] for digest in digests if digest in ids], ms))
                return seconds, answers


PEERS = {"txtai": Txtai, "lancedb": LanceDb, "chroma": Chroma, "mcp": McpMemory}


def measured(store, docs, queries):
    """Seconds to take all documents in, and the ranked ids and milliseconds of each query."""
    if hasattr(store, "measure"):
        return asyncio.run(store.measure(docs, queries))
    began = time.perf_counter()
    store.add(docs)
    seconds, answers = time.perf_counter() - began, []
    store.search("ready")
    for query in queries:
        began = time.perf_counter()
        ranked = store.search(query["text"])
        answers.append((ranked, (time.perf_counter() - began) * 1000))
    return seconds, answers


def read(path):
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines if line.strip()]


def main():
    peer, folder, out, stores, model = sys.argv[1:]
    kind, total, seconds = PEERS[peer], 0, 0.0
    with open(out, "w", encoding="utf-8") as run:
        for path in sorted(Path(folder).glob("*.docs.jsonl")):
            unit = path.name.removesuffix(".docs.jsonl")
            docs = [{**doc, "id": str(doc["id"])} for doc in read(path)]
            queries = read(Path(folder) / f"{unit}.queries.jsonl")
            place = Path(stores) / unit
            place.mkdir()
            taken, answers = measured(kind(str(place), Path(model)), docs, queries)
            total, seconds = total + len(docs), seconds + taken
            for query, (ranked, ms) in zip(queries, answers):
                run.write(json.dumps({"id": query["id"], "ranked": ranked[:LIMIT], "ms": ms}) + "\n")
            shutil.rmtree(place, ignore_errors=True)
    version = importlib.metadata.version(kind.package)
    print(json.dumps({"docs": total, "seconds": seconds, "version": version}))


if __name__ == "__main__":
    main()
