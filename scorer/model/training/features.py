"""Behaviour features of an account, from the aggregates that both the tables and the public data sets can give.

The definitions are those of scorer/model/behaviour.ts; stored vectors hold the two equal. Unknown is NaN, never zero.
"""

import numpy as np
import pandas as pd

# Aggregate -> column of the public table (times in minutes, values in whole coins).
COLUMNS = {
    "gap_sent": "Avg min between sent tnx",
    "gap_received": "Avg min between received tnx",
    "span": "Time Diff between first and last (Mins)",
    "sent": "Sent tnx",
    "received": "Received Tnx",
    "created": "Number of Created Contracts",
    "unique_from": "Unique Received From Addresses",
    "unique_to": "Unique Sent To Addresses",
    "min_received": "min value received",
    "max_received": "max value received",
    "avg_received": "avg val received",
    "min_sent": "min val sent",
    "max_sent": "max val sent",
    "avg_sent": "avg val sent",
    "total_sent": "total Ether sent",
    "total_received": "total ether received",
}

# +1: the score may only rise with the feature, -1: only fall. More history, more activity and more counterparties never
# count against an account: services, which have most of all three, are what differently collected sets confuse with fraud.
MONOTONE = {"span": -1, "sent": -1, "received": -1, "unique_from": -1, "unique_to": -1, "created": -1}


def aggregates(table: pd.DataFrame) -> pd.DataFrame:
    """Reads whatever of COLUMNS the table has; names are compared without surrounding blanks and case."""
    known = {str(name).strip().lower(): name for name in table.columns}
    out = {}
    for name, column in COLUMNS.items():
        source = known.get(column.lower())
        out[name] = (
            pd.to_numeric(table[source], errors="coerce").to_numpy(float) if source is not None else np.full(len(table), np.nan)
        )
    return pd.DataFrame(out)


def ratio(a, b):
    with np.errstate(all="ignore"):
        return np.where(b > 0, a / b, np.nan)


def clip(values, low, high):
    return np.clip(values, low, high)


def features(a: pd.DataFrame) -> pd.DataFrame:
    log = np.log1p
    with np.errstate(all="ignore"):
        count = a.sent + a.received
        out = {
            "span": log(a.span),
            "sent": log(a.sent),
            "received": log(a.received),
            "sent_share": ratio(a.sent, count),
            "unique_from": log(a.unique_from),
            "unique_to": log(a.unique_to),
            "from_ratio": ratio(a.unique_from, a.received),
            "to_ratio": ratio(a.unique_to, a.sent),
            "gap_sent": np.where(a.sent > 1, log(a.gap_sent), np.nan),
            "gap_received": np.where(a.received > 1, log(a.gap_received), np.nan),
            "sending_span": ratio(a.gap_sent * a.sent, a.span),
            "receiving_span": ratio(a.gap_received * a.received, a.span),
            "avg_max_received": ratio(a.avg_received, a.max_received),
            "min_avg_received": ratio(a.min_received, a.avg_received),
            "avg_max_sent": ratio(a.avg_sent, a.max_sent),
            "min_avg_sent": ratio(a.min_sent, a.avg_sent),
            "pass_through": clip(ratio(a.total_sent, a.total_received), 0, 2),
            "kept": clip(ratio(a.total_received - a.total_sent, a.total_received), -1, 1),
            "created": log(a.created),
            "rate": log(ratio(count * 1440, a.span)),
            "sent_received_size": np.log(clip(ratio(a.avg_sent, a.avg_received), 1e-4, 1e4)),
            "largest_sent": clip(ratio(a.max_sent, a.total_received), 0, 2),
            "value_avg_received": log(a.avg_received),
            "value_max_received": log(a.max_received),
            "value_min_received": log(a.min_received),
            "value_avg_sent": log(a.avg_sent),
            "value_max_sent": log(a.max_sent),
            "value_min_sent": log(a.min_sent),
            "value_total_sent": log(a.total_sent),
            "value_total_received": log(a.total_received),
        }
    frame = pd.DataFrame({name: np.asarray(values, float) for name, values in out.items()})
    return frame.replace([np.inf, -np.inf], np.nan)


# Aggregates that are absent together: where a table or a network cannot give one, it cannot give its group.
GROUPS = {
    "times": ["gap_sent", "gap_received", "span"],
    "parties": ["unique_from", "unique_to"],
    "amounts": ["min_received", "max_received", "avg_received", "min_sent", "max_sent", "avg_sent", "total_sent", "total_received"],
    "creations": ["created"],
}
VALUE_FEATURES = [name for name in features(pd.DataFrame({k: [1.0] for k in COLUMNS})).columns if name.startswith("value_")]
