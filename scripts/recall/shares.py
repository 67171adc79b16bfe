"""Reads what `inklings bench recall --shares` writes, and measures orders of its candidates.

A line is one query: {"id", "candidates": [{"id", "parts": {list: [weight, share, rank]}}]}, best first by the engine's own
order. A share is the part of a list's weight that a candidate got, from 0 to 1.
"""

import json
import math
import random

MOST = 50


class Query:
    """The candidates of a query with their shares, and what was to be found."""

    def __init__(self, line, gold):
        self.id = str(line["id"])
        self.gold = set(gold["gold"])
        self.category = gold.get("cat", "")
        self.unit = gold.get("unit", "")
        self.ids = [candidate["id"] for candidate in line["candidates"]]
        self.parts = [candidate["parts"] for candidate in line["candidates"]]

    def order(self, score):
        """Ids by a score of parts, best first; ties as the engine has them."""
        scores = [score(parts) for parts in self.parts]
        places = sorted(range(len(scores)), key=lambda at: -scores[at])
        return [self.ids[at] for at in places[:MOST]]


def read(shares, qrels):
    """The queries of a set that have evidence."""
    with open(qrels, encoding="utf-8") as file:
        gold = json.load(file)
    with open(shares, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file if line.strip()]
    return [Query(line, gold[str(line["id"])]) for line in lines if gold.get(str(line["id"]), {}).get("gold")]


def weights(queries):
    """The weight of each list in the run."""
    found = {}
    for query in queries:
        for parts in query.parts:
            for name, (weight, _, _) in parts.items():
                found[name] = weight
    return found


def by_weights(chosen):
    """A score that adds the shares, each times its weight."""
    return lambda parts: sum(chosen.get(name, 0.0) * share for name, (_, share, _) in parts.items())


def by_rank_fusion(parts, constant=60):
    """Reciprocal rank fusion of the text and the meaning list."""
    return sum(1 / (constant + parts[name][2]) for name in ("text", "meaning") if name in parts)


def measure(query, ranked):
    """Recall and NDCG of the best ten."""
    hits = [doc in query.gold for doc in ranked[:10]]
    gain = sum(1 / math.log2(at + 2) for at, hit in enumerate(hits) if hit)
    best = sum(1 / math.log2(at + 2) for at in range(min(10, len(query.gold))))
    return sum(hits) / len(query.gold), gain / best


def mean(values):
    return sum(values) / len(values) if values else 0.0


def interval(values, rounds=1000, seed=1):
    """95 % bootstrap interval of a mean."""
    dice = random.Random(seed)
    means = sorted(mean(dice.choices(values, k=len(values))) for _ in range(rounds))
    return means[int(rounds * 0.025)], means[int(rounds * 0.975)]
