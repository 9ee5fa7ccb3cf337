"""Behaviour features of an account, from aggregates that both our tables and public data sets provide.

The definitions equal those of scorer/scoring/model/behaviour.ts; stored vectors test that. Unknown is NaN, never zero.
No feature depends on the unit of value, so one model serves networks with different coins.

Not used on purpose: the table's two "Avg min between ..." columns. They are not gaps between transactions of one direction,
but average the time since the account's previous transaction of either direction (gap_sent * sent + gap_received * received =
span holds for 99.5 % of the rows). No mergeable state can provide that, and other collections define it differently. Minima
are not used because dust determines them.
"""

import numpy as np
import pandas as pd

# Aggregate -> column of the public table (times in minutes, values in any one unit).
COLUMNS = {
    "span": "Time Diff between first and last (Mins)",
    "sent": "Sent tnx",
    "received": "Received Tnx",
    "unique_from": "Unique Received From Addresses",
    "unique_to": "Unique Sent To Addresses",
    "max_received": "max value received",
    "avg_received": "avg val received",
    "max_sent": "max val sent",
    "avg_sent": "avg val sent",
    "total_sent": "total Ether sent",
    "total_received": "total ether received",
}

# +1: the score may only rise with the feature, -1: only fall. More history, activity and counterparties never count against an
# account. Services have most of all three, and data sets that are collected differently confuse them with fraud.
MONOTONE = {"span": -1, "sent": -1, "received": -1, "unique_from": -1, "unique_to": -1}

# Aggregates that are absent together: a table or network that lacks one lacks the whole group.
GROUPS = {
    "times": ["span"],
    "counts": ["sent", "received"],
    "parties": ["unique_from", "unique_to"],
    "amounts": ["max_received", "avg_received", "max_sent", "avg_sent", "total_sent", "total_received"],
}


def aggregates(table: pd.DataFrame) -> pd.DataFrame:
    """Reads the COLUMNS that the table has. Names are compared without surrounding blanks and case."""
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


def features(a: pd.DataFrame) -> pd.DataFrame:
    log = np.log1p
    with np.errstate(all="ignore"):
        count = a.sent + a.received
        out = {
            "span": log(a.span),
            "sent": log(a.sent),
            "received": log(a.received),
            "sent_share": ratio(a.sent, count),
            "rate": log(ratio(count * 1440, a.span)),
            "unique_from": log(a.unique_from),
            "unique_to": log(a.unique_to),
            "from_ratio": ratio(a.unique_from, a.received),
            "to_ratio": ratio(a.unique_to, a.sent),
            "avg_max_received": ratio(a.avg_received, a.max_received),
            "avg_max_sent": ratio(a.avg_sent, a.max_sent),
            "pass_through": np.clip(ratio(a.total_sent, a.total_received), 0, 2),
            "largest_sent": np.clip(ratio(a.max_sent, a.total_received), 0, 2),
            "sent_received_size": np.log(np.clip(ratio(a.avg_sent, a.avg_received), 1e-4, 1e4)),
        }
    frame = pd.DataFrame({name: np.asarray(values, float) for name, values in out.items()})
    return frame.replace([np.inf, -np.inf], np.nan)
