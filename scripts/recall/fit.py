"""Fits the weights of the additive order on test sets, and compares them with the weights that ship.

    fit.py NAME=SHARES:QRELS[:CATEGORY,CATEGORY...] ...

The fit maximises the log-likelihood of the evidence under a softmax over the candidates of each query, with L2. Every set
counts the same. It prints the fitted weights, the figures of cross-validation by unit and by set (fitted on the others), and
those of the shipped weights beside them. Needs numpy and scipy.
"""

import sys

import numpy
from scipy.optimize import minimize

from shares import by_weights, interval, mean, measure, weights
from table import sets

L2 = 5e-4


def matrix(query, lists):
    rows = [[parts[name][1] if name in parts else 0.0 for name in lists] for parts in query.parts]
    return numpy.array(rows), numpy.array([doc in query.gold for doc in query.ids])


def fit(groups, lists):
    """Weights for these groups of queries; each group counts the same."""
    data = []
    for queries in groups:
        tables = [matrix(query, lists) for query in queries]
        tables = [(table, gold) for table, gold in tables if gold.any()]
        data.extend((table, gold, 1 / len(tables)) for table, gold in tables)

    def loss(chosen):
        total, slope = L2 * chosen @ chosen, 2 * L2 * chosen
        for table, gold, share in data:
            scores = table @ chosen
            scores -= scores.max()
            odds = numpy.exp(scores)
            total -= share * (scores[gold].mean() - numpy.log(odds.sum()))
            slope -= share * (table[gold].mean(0) - odds / odds.sum() @ table)
        return total, slope

    # A list may not count against a candidate, so that the parts shown to a person are never negative.
    start = numpy.zeros(len(lists))
    return minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(lists)).x


def figures(queries, chosen):
    return [measure(query, query.order(by_weights(chosen))) for query in queries]


def show(label, found):
    recall, gain = ([100 * figure[at] for figure in found] for at in (0, 1))
    low, high = interval(gain)
    print(f"| {label:44} | {mean(recall):5.1f} | {mean(gain):5.1f} | {low:.1f} to {high:.1f} |")


def main():
    named = list(sets(sys.argv[1:]))
    shipped = {}
    for _, queries in named:
        shipped.update(weights(queries))
    lists = sorted(shipped)
    groups = [queries for _, queries in named]
    every = dict(zip(lists, fit(groups, lists)))
    scale = sum(shipped.values()) / max(sum(every.values()), 1e-9)
    print("| list | shipped | fitted on all sets, to the same sum |\n|---|---|---|")
    for name in lists:
        print(f"| {name} | {shipped[name]:.2f} | {scale * every[name]:.2f} |")
    print("\n| set, weights | R@10 | NDCG@10 | interval of NDCG@10 |\n|---|---|---|---|")
    for name, queries in named:
        show(f"{name}, shipped", figures(queries, shipped))
        units = sorted({query.unit for query in queries})
        held_out = []
        for unit in units if len(units) > 1 else []:
            rest = [query for query in queries if query.unit != unit]
            chosen = dict(zip(lists, fit([rest], lists)))
            held_out += figures([query for query in queries if query.unit == unit], chosen)
        if held_out:
            show(f"{name}, fitted on its other units", held_out)
        others = [group for other, group in named if other != name]
        if others:
            show(f"{name}, fitted on the other sets", figures(queries, dict(zip(lists, fit(others, lists)))))


if __name__ == "__main__":
    main()
