"""Trains the wallet model and writes the versioned artifact. `npm run train -- --csv FILE` runs it.

Leaks of the public table that are removed before anything is learned (see docs/model-card.md): the token block (missing
only where the label is 1), empty accounts (label 1 throughout), exact duplicates (grouped, never split), row order.
"""

import argparse
import hashlib
import json
from pathlib import Path

import lightgbm as lgb
import numpy as np
import pandas as pd
from sklearn.metrics import average_precision_score, brier_score_loss, roc_auc_score
from sklearn.model_selection import StratifiedGroupKFold

from features import COLUMNS, GROUPS, MONOTONE, VALUE_FEATURES, aggregates, features

SEED = 20261121
ROUNDS = 400
SERVING_PRIOR = 0.02
PARAMETERS = dict(
    objective="binary", learning_rate=0.05, num_leaves=6, min_child_samples=80, reg_lambda=20.0, feature_fraction=0.6,
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
    return a, y, groups


def augmented(a, y, rng):
    """The rows as they are, plus copies with groups of aggregates made unknown, so that unknown is learned as unknown."""
    frames, labels, weights = [features(a)], [y], [np.ones(len(y))]
    for hidden, share in (("value", 0.5), ("times", 0.25), ("parties", 0.25), ("amounts", 0.25), ("creations", 0.25)):
        rows = rng.random(len(y)) < share
        part = a[rows].copy()
        if hidden == "value":
            frame = features(part)
            frame[VALUE_FEATURES] = np.nan
        else:
            part[GROUPS[hidden]] = np.nan
            frame = features(part)
        frames.append(frame)
        labels.append(y[rows])
        weights.append(np.full(rows.sum(), 0.5))
    return pd.concat(frames, ignore_index=True), np.concatenate(labels), np.concatenate(weights)


def fit(a, y, rng):
    x, labels, weights = augmented(a, y, rng)
    parameters = {**PARAMETERS, "monotone_constraints": [MONOTONE.get(c, 0) for c in x.columns]}
    return lgb.train(parameters, lgb.Dataset(x, labels, weight=weights), ROUNDS)


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
    p = np.zeros(len(y))
    for train, test in StratifiedGroupKFold(5, shuffle=True, random_state=SEED).split(a, y, groups):
        model = fit(a.iloc[train], y[train], np.random.default_rng(SEED))
        p[test] = model.predict(features(a.iloc[test]))
    return metrics(y, p)


def carry_over(a, y, groups):
    """Stand-ins for a differently collected set: what was tested on is of a kind that was kept out of training."""
    busy = ((a.unique_from + a.unique_to) > 60).to_numpy()
    few = ((a.sent + a.received) <= 10).to_numpy()
    out = {}
    scores = []
    for half in (0, 1):
        held = (y == 1) & (groups % 2 == half)
        test = held | (busy & (y == 0))
        model = fit(a[~test], y[~test], np.random.default_rng(SEED))
        scores.append(roc_auc_score(y[test], model.predict(features(a[test]))))
    out["busy_negatives_never_seen"] = float(np.mean(scores))
    for name, train in (("trained_on_few_transactions", few), ("trained_on_many_transactions", ~few)):
        model = fit(a[train], y[train], np.random.default_rng(SEED))
        out[name] = roc_auc_score(y[~train], model.predict(features(a[~train])))
    return out


def flatten(node, names, tree):
    """Pre-order arrays. A leaf has feature -1. `cover` is the weight of training rows, which exact SHAP values need."""
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
    # missing_type None reads an unknown as zero.
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
    # The loader recomputes this hash from the text that follows the version, so the text is fixed here.
    text = json.dumps(body, separators=(",", ":"))
    version = f"wallet-trees-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    return version, f'{{"version":"{version}",{text[1:]}\n'


def vectors(model):
    """Invented accounts, from plain to absurd, with what LightGBM makes of them: the evaluator is held equal to these."""
    rng = np.random.default_rng(SEED)
    n = 200
    a = pd.DataFrame({name: np.round(10 ** rng.uniform(-3, 6, n), 6) for name in COLUMNS})
    for name in ("sent", "received", "created", "unique_from", "unique_to"):
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
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "artifacts")
    options = parser.parse_args()
    a, y, groups = load(options.csv)
    report = {"grouped_cross_validation": cross_validate(a, y, groups), "carry_over_auc": carry_over(a, y, groups)}
    print(json.dumps(report, indent=2))
    model = fit(a, y, np.random.default_rng(SEED))
    options.out.mkdir(parents=True, exist_ok=True)
    version, text = export(model, float(y.mean()), report)
    (options.out / "wallet-trees.json").write_text(text)
    (options.out / "wallet-trees.vectors.json").write_text(json.dumps(vectors(model), separators=(",", ":")) + "\n")
    print(version)


if __name__ == "__main__":
    main()
