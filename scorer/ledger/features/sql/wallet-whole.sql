-- Features of wallets with fetched pasts, over all tiers.
SELECT * EXCEPT (network) REPLACE (
    toUnixTimestamp(first_seen) AS first_seen, toUnixTimestamp(last_seen) AS last_seen,
    toUnixTimestamp(sent_first) AS sent_first, toUnixTimestamp(sent_last) AS sent_last,
    toUnixTimestamp(paid_first) AS paid_first, toUnixTimestamp(paid_last) AS paid_last)
FROM wallet_features_whole
WHERE network = {network:String} AND address IN {addresses:Array(String)}
