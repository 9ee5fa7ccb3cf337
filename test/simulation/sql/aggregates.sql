-- What the aggregates of final rows have counted, in one shape: how often, and how much where amounts are summed up.
SELECT 'wallet_features' AS name, network, [address] AS key,
  toString(sum(sent + received + token_in_count + token_out_count + approvals_given + approvals_received + contracts_created
    + created + lp_adds + lp_removes + delegations + delegators)) AS count,
  '0' AS amount
FROM wallet_features GROUP BY network, address
UNION ALL
SELECT 'wallet_edges', network, [address, counterparty],
  toString(sum(native_in_count + native_out_count + token_in_count + token_out_count)), '0'
FROM wallet_edges GROUP BY network, address, counterparty
UNION ALL
SELECT 'wallet_protocols', network, [address, contract], toString(sum(calls)), toString(sum(value))
FROM wallet_protocols GROUP BY network, address, contract
UNION ALL
SELECT 'wallet_assets', network, [address, asset], toString(sum(count_in + count_out)), toString(sum(amount_in + amount_out))
FROM wallet_assets GROUP BY network, address, asset
UNION ALL
SELECT 'asset_holders', network, [asset, address], '0', toString(sum(amount_in + amount_out))
FROM asset_holders GROUP BY network, address, asset
UNION ALL
SELECT 'deployer_contracts', network, [root_creator, contract], toString(sum(creations)), '0'
FROM deployer_contracts GROUP BY network, root_creator, contract
UNION ALL
SELECT 'pool_state', network, [pool], toString(sum(adds + removes + swaps)), '0' FROM pool_state GROUP BY network, pool
UNION ALL
SELECT 'authority_listings', network, [subject, authority], '0', '0'
FROM authority_listings GROUP BY network, subject, authority
UNION ALL
SELECT 'asset_approvals', network, [asset], '0', '0' FROM asset_approvals GROUP BY network, asset
UNION ALL
SELECT 'wallet_swaps', network, [address], toString(count()), '0' FROM wallet_swaps GROUP BY network, address
UNION ALL
SELECT 'third_party_dust', network, [initiator], toString(count()), '0' FROM third_party_dust GROUP BY network, initiator
