"""Prints how well each order finds the evidence of test sets, and what each list is worth.

    table.py NAME=SHARES:QRELS[:CATEGORY,CATEGORY...] ...

Every row orders the same candidates. A row of the ablation leaves one list out; its difference from the default order comes
with the 95 % interval of the paired difference. A text counts in one of the lists of meaning, so they are one here: word by word
where it has codes, else its cosine.
"""

import sys

from shares import by_rank_fusion, by_weights, interval, mean, measure, read, weights

MEANING = ("meaning", "word_meaning")


def sets(arguments):
    for argument in arguments:
        name, files = argument.split("=", 1)
        shares, qrels, *categories = files.split(":")
        queries = read(shares, qrels)
        if categories:
            wanted = set(categories[0].split(","))
            queries = [query for query in queries if query.category in wanted]
        yield name, queries


def row(label, queries, score, default=None):
    figures = [measure(query, query.order(score)) for query in queries]
    recall, gain = ([100 * figure[at] for figure in figures] for at in (0, 1))
    line = f"| {label:24} | {mean(recall):5.1f} | {mean(gain):5.1f} |"
    if default is None:
        low, high = interval(recall)
        line += f" {low:.1f} to {high:.1f} |"
    else:
        low, high = interval([other - own for own, other in zip(gain, default)])
        line += f" {mean(gain) - mean(default):+5.1f} ({-high:+.1f} to {-low:+.1f}) |"
    print(line)
    return gain


def main():
    for name, queries in sets(sys.argv[1:]):
        shipped = weights(queries)
        print(f"\n## {name}: {len(queries)} queries\n")
        print("| order | R@10 | NDCG@10 | interval of R@10 |\n|---|---|---|---|")
        row("text alone", queries, by_weights({"text": 1}))
        row("meaning alone", queries, by_weights(dict.fromkeys(MEANING, 1)))
        row("reciprocal rank fusion", queries, by_rank_fusion)
        row("text and meaning, equal", queries, by_weights(dict.fromkeys(("text", *MEANING), 1)))
        default = row("default", queries, by_weights(shipped))
        print("\n| default without | R@10 | NDCG@10 | difference of NDCG@10, interval |\n|---|---|---|---|")
        for list_name in (name for name in shipped if name != "word_meaning"):
            left_out = MEANING if list_name == "meaning" else (list_name,)
            rest = {name: weight for name, weight in shipped.items() if name not in left_out}
            row(list_name, queries, by_weights(rest), default)


if __name__ == "__main__":
    main()
