"""Trains the wallet model and writes the versioned artifact. `npm run train -- --csv FILE` runs it.

Leaks of the public table that are removed before training (docs/verdicts/model-card.md): the token columns (missing only for
label 1), empty accounts (all label 1), exact duplicates (grouped, never split), row order.
"""

import argparse
import hashlib
import json
from pathlib import Path

import lightgbm as lgb
import numpy as np
import pandas as pd
from sklearn.cluster import KMeans
from sklearn.metrics import average_precision_score, brier_score_loss, roc_auc_score
from sklearn.model_selection import StratifiedGroupKFold

from features import COLUMNS, GROUPS, MONOTONE, aggregates, features

SEED = 20261121
ROUNDS = 500
SERVING_PRIOR = 0.01
SERVICES = 1500
PARAMETERS = dict(
    objective="binary", learning_rate=0.05, num_leaves=3, min_child_samples=80, reg_lambda=20.0, feature_fraction=0.6,
    bagging_fraction=0.8, bagging_freq=1, monotone_constraints_method="advanced", seed=SEED, deterministic=True,
    force_row_wise=True, num_threads=1, verbose=-1,
)  # fmt: skip


def load(path):
    table = pd.read_csv(path)
    table.columns = [str(c).strip() for c in table.columns]
    a = aggregates(table)
    y = table["FLAG"].to_numpy(int)
    seen = (a.sent + a.received) > 0
    a, y = a[seen].reset_index(drop=True), y[seen.to_numpy()]
    groups = pd.util.hash_pandas_object(a.round(6), index=False).to_numpy()
    return a, y, groups, table["Address"][seen.to_numpy()].str.lower().to_numpy()


def services(a, y, rng):
    """Synthetic services, of which the table has few: each is the sum of many honest accounts. A third are made of any accounts, a
    third of accounts that only receive, a third of accounts that send."""
    honest = a[(y == 0) & ((a.sent + a.received) > 3).to_numpy()]
    parts = []
    for pool in (honest, honest[honest.sent == 0], honest[honest.sent > 0]):
        sizes = np.exp(rng.uniform(np.log(3), np.log(300), SERVICES // 3)).astype(int)
        rows = pool.iloc[rng.integers(0, len(pool), sizes.sum())].to_numpy()
        starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        total = pd.DataFrame(np.add.reduceat(rows, starts), columns=a.columns)
        most = pd.DataFrame(np.maximum.reduceat(rows, starts), columns=a.columns)
        for name in ("span", "max_received", "max_sent"):
            total[name] = most[name]
        for side in ("sent", "received"):
            total[f"avg_{side}"] = total[f"total_{side}"] / np.maximum(total[side], 1)
        parts.append(total)
    return pd.concat(parts, ignore_index=True)


def augmented(a, y, rng):
    """The original rows, synthetic services, and copies with groups of aggregates set to unknown, so that the model learns to handle
    unknown values."""
    made = services(a, y, rng)
    a = pd.concat([a, made], ignore_index=True)
    y = np.concatenate([y, np.zeros(len(made), int)])
    frames, labels, weights = [features(a)], [y], [np.ones(len(y))]
    for hidden in GROUPS.values():
        rows = rng.random(len(y)) < 0.25
        part = a[rows].copy()
        part[hidden] = np.nan
        frames.append(features(part))
        labels.append(y[rows])
        weights.append(np.full(rows.sum(), 0.5))
    return pd.concat(frames, ignore_index=True), np.concatenate(labels), np.concatenate(weights)


def fit(a, y):
    x, labels, weights = augmented(a, y, np.random.default_rng(SEED))
    parameters = {**PARAMETERS, "monotone_constraints": [MONOTONE.get(c, 0) for c in x.columns]}
    return lgb.train(parameters, lgb.Dataset(x, labels, weight=weights), ROUNDS)


def margin(model, a):
    return model.predict(features(a), raw_score=True)


def sigmoid(m):
    return 1 / (1 + np.exp(-m))


def shift(y):
    """Log-odds from the share of fraud in the rows to the serving prior."""
    return np.log(SERVING_PRIOR / (1 - SERVING_PRIOR)) - np.log(y.mean() / (1 - y.mean()))


def metrics(y, p):
    order = np.argsort(-p)
    fpr = np.cumsum(1 - y[order]) / (y == 0).sum()
    recall = np.cumsum(y[order]) / y.sum()
    bins = np.minimum((p * 10).astype(int), 9)
    ece = sum(abs(p[bins == b].mean() - y[bins == b].mean()) * (bins == b).mean() for b in range(10) if (bins == b).any())
    return {
        "n": int(len(y)), "auc": roc_auc_score(y, p), "pr_auc": average_precision_score(y, p),
        "recall_at_fpr_1pct": float(recall[fpr <= 0.01].max(initial=0)), "recall_at_fpr_0.1pct": float(recall[fpr <= 0.001].max(initial=0)),
        "brier": brier_score_loss(y, p), "ece": float(ece),
    }  # fmt: skip


def cross_validate(a, y, groups):
    """Metrics of cross-validation without identical rows across folds, also tested with hidden columns and with another unit of value."""
    amounts = GROUPS["amounts"]
    variants = {"all": a} | {f"without_{name}": a.assign(**dict.fromkeys(group, np.nan)) for name, group in GROUPS.items()}
    variants["only_counts_and_parties"] = a.assign(**dict.fromkeys(GROUPS["times"] + amounts, np.nan))
    variants["only_amounts"] = a.assign(**dict.fromkeys([c for c in COLUMNS if c not in amounts], np.nan))
    variants["values_times_1000"] = a.assign(**{c: a[c] * 1000 for c in amounts})
    out = {name: np.zeros(len(y)) for name in variants}
    for train, test in StratifiedGroupKFold(5, shuffle=True, random_state=SEED).split(a, y, groups):
        model = fit(a.iloc[train], y[train])
        for name, table in variants.items():
            out[name][test] = margin(model, table.iloc[test])
    served = sigmoid(out["all"] + shift(y))
    busy = busy_rows(a)
    at_serving = {
        "honest_at_least_half": float((served[y == 0] >= 0.5).mean()),
        "honest_busy_at_least_half": float((served[(y == 0) & busy] >= 0.5).mean()),
        "fraud_at_least_half": float((served[y == 1] >= 0.5).mean()),
    }
    subsets = {name: roc_auc_score(y, p) for name, p in out.items() if name != "all"}
    return {**metrics(y, sigmoid(out["all"])), "auc_of_subsets": subsets, "at_the_serving_prior": at_serving}


def busy_rows(a):
    """Accounts with as many counterparties as services."""
    return ((a.unique_from + a.unique_to) > 60).to_numpy()


def carry_over(a, y, groups):
    """Substitutes for a data set that is collected differently: the tested kind of account is kept out of training. Next to each AUC is
    that of the rule "the fewer counterparties, the worse", because some substitutes are easy for it."""
    count, parties = (a.sent + a.received).to_numpy(), (a.unique_from + a.unique_to).to_numpy()
    busy = busy_rows(a)
    out = {}

    def measure(name, tests):
        ours = [roc_auc_score(y[test], margin(fit(a[~out_of], y[~out_of]), a[test])) for test, out_of in tests]
        naive = [roc_auc_score(y[test], -parties[test]) for test, _ in tests]
        out[name] = {"auc": float(np.mean(ours)), "auc_of_counterparties_alone": float(np.mean(naive))}

    half = [(y == 1) & (groups % 2 == h) for h in (0, 1)]
    unseen = [held | (busy & (y == 0)) for held in half]
    measure("busy_negatives_never_seen", [(rows, rows) for rows in unseen])
    measure("busy_negatives_never_seen_against_busy_fraud", [(rows & busy, rows) for rows in unseen])
    measure("trained_on_few_transactions", [(count > 10, count > 10)])
    measure("trained_on_many_transactions", [(count <= 10, count <= 10)])
    x = features(a)
    x = ((x.fillna(x.median()) - x.mean()) / x.std()).to_numpy()
    for label, kinds in ((0, 6), (1, 4)):
        kind = np.full(len(y), -1)
        kind[y == label] = KMeans(kinds, n_init=4, random_state=1).fit_predict(x[y == label])
        rows = [(kind == k) | ((y != label) & (groups % 2 == k % 2)) for k in range(kinds)]
        measure(f"a_kind_of_{('honest', 'fraud')[label]}_never_seen", [(test, test) for test in rows])
    served = [sigmoid(margin(fit(a[~rows], y[~rows]), a[rows & (y == 0)]) + shift(y)) for rows in unseen]
    out["busy_negatives_never_seen_at_least_half"] = float(np.mean([(p >= 0.5).mean() for p in served]))
    return out


def rounded(value):
    """Rounds to four significant digits: the report is part of the hashed text, which must not depend on the last bits."""
    if isinstance(value, dict):
        return {key: rounded(v) for key, v in value.items()}
    return float(f"{value:.4g}") if isinstance(value, float) else value


def named_services(a, y, groups, addresses, path):
    """Tests honest accounts that a label list names (JSON object by address), kept out of training, against unseen fraud."""
    wrong = ("phish", "hack", "scam", "exploit", "heist", "fake", "blocked", "ponzi", "spam", "tornado", "ofac")
    names = {k.lower() for k, v in json.loads(Path(path).read_text()).items() if not any(w in json.dumps(v).lower() for w in wrong)}
    named, busy = (y == 0) & np.isin(addresses, list(names)), (y == 0) & busy_rows(a)
    out = {"named": int(named.sum())}
    for name, hidden in (("never_seen", named), ("never_seen_nor_any_busy_negative", named | busy)):
        auc, most = [], 0.0
        for half in (0, 1):
            held = (y == 1) & (groups % 2 == half)
            model = fit(a[~(held | hidden)], y[~(held | hidden)])
            scores = margin(model, a[held | named])
            auc.append(roc_auc_score(y[held | named], scores))
            most = max(most, float(sigmoid(scores[y[held | named] == 0] + shift(y)).max()))
        out[name] = {"auc": float(np.mean(auc)), "highest_of_a_service": most}
    return out


def flatten(node, names, tree):
    """Converts a tree to pre-order arrays. A leaf has feature -1. `cover` is the weight of training rows, for exact SHAP values."""
    index = len(tree["feature"])
    for key in ("feature", "threshold", "left", "right", "value", "cover", "missingLeft"):
        tree[key].append(0)
    if "leaf_value" in node and "split_feature" not in node:
        tree["feature"][index] = -1
        tree["value"][index] = node["leaf_value"]
        tree["cover"][index] = node["leaf_count"]
        return index
    assert node["decision_type"] == "<=" and node["missing_type"] in ("NaN", "None"), node
    tree["feature"][index] = node["split_feature"]
    tree["threshold"][index] = node["threshold"]
    tree["cover"][index] = node["internal_count"]
    # missing_type None treats unknown as zero.
    left = node["default_left"] if node["missing_type"] == "NaN" else 0.0 <= node["threshold"]
    tree["missingLeft"][index] = int(left)
    tree["left"][index] = flatten(node["left_child"], names, tree)
    tree["right"][index] = flatten(node["right_child"], names, tree)
    return index


def export(model, prior, report):
    dump = model.dump_model()
    trees = []
    for info in dump["tree_info"]:
        tree = {key: [] for key in ("feature", "threshold", "left", "right", "value", "cover", "missingLeft")}
        flatten(info["tree_structure"], dump["feature_names"], tree)
        trees.append(tree)
    body = {
        "kind": "gradient-boosted-trees", "features": dump["feature_names"], "trees": trees,
        "trainingPrior": prior, "servingPrior": SERVING_PRIOR, "report": report,
    }  # fmt: skip
    # The loader recomputes this hash from the text after the version, so the serialisation must be exact.
    text = json.dumps(body, separators=(",", ":"))
    version = f"wallet-trees-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    return version, f'{{"version":"{version}",{text[1:]}\n'


def vectors(model):
    """Test vectors for the evaluator: random accounts, from plain to absurd, with the results of LightGBM."""
    rng = np.random.default_rng(SEED)
    n = 200
    a = pd.DataFrame({name: np.round(10 ** rng.uniform(-3, 6, n), 6) for name in COLUMNS})
    for name in ("sent", "received", "unique_from", "unique_to"):
        a[name] = np.floor(10 ** rng.uniform(0, 4, n)) - 1
    a = a.mask(rng.random(a.shape) < 0.15)
    x = features(a)
    contributions = model.predict(x, pred_contrib=True)
    rows = lambda frame: [[None if np.isnan(v) else v for v in row] for row in frame.to_numpy().tolist()]  # noqa: E731
    return {
        "aggregates": list(COLUMNS), "inputs": rows(a), "features": rows(x),
        "margins": model.predict(x, raw_score=True).tolist(), "contributions": contributions[:40].tolist(),
    }  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--csv", required=True)
    parser.add_argument("--services", help="label list, JSON object by address: also measure the honest accounts it names")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "artifacts")
    options = parser.parse_args()
    a, y, groups, addresses = load(options.csv)
    report = rounded({"grouped_cross_validation": cross_validate(a, y, groups), "carry_over": carry_over(a, y, groups)})
    print(json.dumps(report, indent=2))
    if options.services:
        print(json.dumps(rounded({"named_services": named_services(a, y, groups, addresses, options.services)}), indent=2))
    model = fit(a, y)
    options.out.mkdir(parents=True, exist_ok=True)
    version, text = export(model, float(y.mean()), report)
    (options.out / "wallet-trees.json").write_text(text)
    (options.out / "wallet-trees.vectors.json").write_text(json.dumps(vectors(model), separators=(",", ":")) + "\n")
    print(version)


if __name__ == "__main__":
    main()
