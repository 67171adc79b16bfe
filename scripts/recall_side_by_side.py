#!/usr/bin/env python3
"""Measures this program beside others on the same documents, with the same embedding model, on this machine.

    scripts/recall_side_by_side.py FOLDER [--units a,b] [--peers txtai,lancedb,chroma,mcp] [--binary PATH]

FOLDER holds UNIT.docs.jsonl, UNIT.queries.jsonl and qrels.json as `inklings bench recall` reads them; `metrics.py`, which
scores, lies beside it. Each peer gets a Python environment of its own under target/side-by-side, filled by name from PyPI
once, and runs in a process of its own: one store for each unit, all documents, then every query for 50 results. The vectors
of all come from the model files that scripts/setup-model.sh puts in place. What cannot be installed or run is reported as
such. Nothing of the documents stays behind.

The ingest rate counts embedding; a query's time counts the embedding of the query. Needs network and Python 3.10 or newer.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PLACE = ROOT / "target" / "side-by-side"
MODEL = ROOT / "src-tauri" / "resources" / "models" / "all-MiniLM-L6-v2"
PEERS_SCRIPT = ROOT / "scripts" / "side_by_side_peers.py"
VECTORS = ["numpy", "onnxruntime", "tokenizers"]

# What each peer is and what it needs. The plain package of txtai needs PyTorch, which the registry has with gigabytes of
# CUDA only; its core takes vectors from outside, so it is installed without the packages that it does not need here.
PEERS = {
    "txtai": ("txtai, hybrid", ["txtai-minimal", "faiss-cpu", "regex", "msgpack", "pyyaml", *VECTORS]),
    "lancedb": ("lancedb, hybrid RRF", ["lancedb", "pandas", *VECTORS]),
    "chroma": ("chroma, vectors", ["chromadb", *VECTORS]),
    "mcp": ("mcp-memory-service, hybrid", ["mcp-memory-service-lite"]),
}


class NotHad(Exception):
    """A peer that could not be installed or run, and why."""


def say(text):
    print(f"side-by-side: {text}", file=sys.stderr, flush=True)


def run(command, **options):
    """Runs a command. A failure is the last line of what it said."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise NotHad(lines[-1] if lines else f"it ended with code {done.returncode}")
    return done.stdout


def interpreter(peer):
    """The Python for a peer. The vectors of the MCP server are an extension of SQLite, which some builds cannot load."""
    if peer != "mcp":
        return sys.executable
    check = "import sqlite3; sqlite3.connect(':memory:').enable_load_extension(True)"
    for candidate in (sys.executable, "/usr/bin/python3"):
        if not Path(candidate).exists():
            continue
        if subprocess.run([candidate, "-c", check], capture_output=True, check=False).returncode == 0:
            return candidate
    raise NotHad("no Python here can load SQLite extensions")


def environment(peer):
    """The Python environment of a peer, made once."""
    folder = PLACE / peer
    python = folder / "bin" / "python"
    packages = PEERS[peer][1]
    stamp = folder / "packages.txt"
    if stamp.exists() and stamp.read_text() == "\n".join(packages):
        return python
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    say(f"{peer}: installing {', '.join(packages)}")
    run([interpreter(peer), "-m", "venv", "--without-pip", str(folder)])
    # The pip of this Python fills the environment, so it needs none of its own.
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", "--disable-pip-version-check"]
    run([*pip, "--only-binary=:all:", *packages])
    stamp.write_text("\n".join(packages))
    return python


def read_run(path):
    return {answer["id"]: answer for answer in map(json.loads, path.read_text().splitlines())}


def selected(folder, units, into):
    """The folder itself, or one with links to the chosen units."""
    names = sorted(path.name.removesuffix(".docs.jsonl") for path in folder.glob("*.docs.jsonl"))
    if units is None:
        return folder, names
    unknown = set(units) - set(names)
    if unknown:
        sys.exit(f"There is no unit {', '.join(sorted(unknown))} in {folder}; there are {', '.join(names)}.")
    for unit in units:
        for kind in ("docs", "queries"):
            os.symlink(folder / f"{unit}.{kind}.jsonl", into / f"{unit}.{kind}.jsonl")
    return into, units


def ours(binary, folder, kind, work):
    """This program, with each unit loaded as memories or as a conversation."""
    out = work / f"ours-{kind}.jsonl"
    command = [str(binary), "--json", "bench", "recall", str(folder), "--out", str(out), "--as", kind]
    reports = json.loads(run(command))
    docs = sum(report["docs"] for report in reports)
    seconds = sum(report["importSeconds"] + report["embedSeconds"] for report in reports)
    return read_run(out), docs / seconds


def theirs(peer, folder, work):
    """A peer, in a process of its own."""
    python = environment(peer)
    out, stores = work / f"{peer}.jsonl", work / f"{peer}-stores"
    stores.mkdir()
    # Nothing is downloaded and nobody is told: the model is given, and these switches keep libraries quiet.
    quiet = {"HOME": str(stores), "HF_HUB_OFFLINE": "1", "ANONYMIZED_TELEMETRY": "False", "DO_NOT_TRACK": "1"}
    command = [str(python), str(PEERS_SCRIPT), peer, str(folder), str(out), str(stores), str(MODEL)]
    report = json.loads(run(command, env={**os.environ, **quiet}).splitlines()[-1])
    return read_run(out), report["docs"] / report["seconds"], report["version"]


def percentile(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(share * len(values)))]


def row(name, answers, rate, qrels, metrics):
    ranked = [([str(it) for it in answers.get(query, {}).get("ranked", [])][:50], gold) for query, gold in qrels]
    mean = metrics.mean([metrics.score(found, set(gold["gold"])) for found, gold in ranked])
    times = [answer["ms"] for answer in answers.values()]
    figures = (100 * mean["R@10"], 100 * mean["NDCG@10"], rate, percentile(times, 0.5), percentile(times, 0.95))
    return f"{name:34s} {figures[0]:7.1f} {figures[1]:8.1f} {figures[2]:9.1f} {figures[3]:8.1f} {figures[4]:8.1f}"


def main():
    def words(text):
        return [word for word in text.split(",") if word]

    built = ROOT / "target" / "release" / "inklings"
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="folder of the test set")
    parser.add_argument("--units", type=words, help="only these units")
    parser.add_argument("--peers", type=words, default=list(PEERS), help="only these peers")
    parser.add_argument("--binary", type=Path, default=built, help="our program")
    asked = parser.parse_args()
    folder = asked.folder.resolve()
    unknown = set(asked.peers) - set(PEERS)
    if unknown:
        parser.error(f"unknown peer: {', '.join(sorted(unknown))}; there are {', '.join(PEERS)}")
    if not asked.binary.exists():
        parser.error(f"{asked.binary} is not built: run `RELEASE=1 make build`, or name another with --binary")
    if not (MODEL / "model.onnx").exists():
        parser.error(f"{MODEL} is missing: run scripts/setup-model.sh")
    if not (folder.parent / "metrics.py").exists():
        parser.error(f"there is no metrics.py beside {folder}")
    sys.path.insert(0, str(folder.parent))
    sys.dont_write_bytecode = True
    import metrics  # pylint: disable=import-outside-toplevel,import-error

    rows, missing = [], []
    with tempfile.TemporaryDirectory(prefix="side-by-side-") as temporary:
        work = Path(temporary)
        chosen = work / "units"
        chosen.mkdir()
        folder, units = selected(folder, asked.units, chosen)
        for unit in units:
            queries = (folder / f"{unit}.queries.jsonl").read_text().splitlines()
            if any("before" in json.loads(line) for line in queries if line.strip()):
                parser.error(f"queries of {unit} have a position, which the peers are not asked for")
        all_qrels = json.loads((asked.folder / "qrels.json").read_text())
        qrels = [(query, gold) for query, gold in all_qrels.items() if gold["unit"] in units]
        for kind in ("memories", "conversation"):
            say(f"inklings, as {kind}")
            try:
                answers, rate = ours(asked.binary, folder, kind, work)
                rows.append(row(f"inklings, as {kind}", answers, rate, qrels, metrics))
            except NotHad as reason:
                missing.append(f"inklings, as {kind}: {reason}")
        for peer in asked.peers:
            say(PEERS[peer][0])
            try:
                answers, rate, version = theirs(peer, folder, work)
                rows.append(row(f"{PEERS[peer][0]} ({version})", answers, rate, qrels, metrics))
            except NotHad as reason:
                missing.append(f"{PEERS[peer][0]}: {reason}")
    print(f"{asked.folder.name}: {len(units)} units, {len(qrels)} queries, all-MiniLM-L6-v2, {os.cpu_count()} cores")
    print(f"{'':34s} {'R@10':>7s} {'NDCG@10':>8s} {'texts/s':>9s} {'p50 ms':>8s} {'p95 ms':>8s}")
    print("\n".join(rows))
    for line in missing:
        print(f"not measured: {line}")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
