/** The questions of docs/use/cookbook.md. A test keeps both equal. */

/** @typedef {{ group: string, title: string, statement: string }} Question */

/** @type {readonly Question[]} */
export const QUESTIONS = [
  {
    group: 'Wallets',
    title: 'Everything a wallet moved, newest first',
    statement: `SELECT block_time, if(direction = 1, 'in', 'out') AS direction, counterparty, asset, amount
FROM ledger_all
WHERE network = 'ETH' AND address = '0x00000000000000000000000000000000000a11ce'
ORDER BY position DESC
LIMIT 100`,
  },
  {
    group: 'Wallets',
    title: 'What a wallet holds, as far as movements show it',
    statement: `SELECT w.asset AS asset, if(w.asset = '', n.native_symbol, t.symbol) AS symbol,
  assay_amount(toInt256(w.amount_in) - toInt256(w.amount_out), if(w.asset = '', n.native_decimals, t.decimals)) AS balance
FROM wallet_assets_all AS w
LEFT JOIN tokens_current AS t ON t.network = w.network AND t.token = w.asset
LEFT JOIN networks AS n ON n.network = w.network
WHERE w.network = 'ETH' AND w.address = '0x00000000000000000000000000000000000a11ce'
ORDER BY asset`,
  },
  {
    group: 'Wallets',
    title: 'Whom a wallet deals with most',
    statement: `SELECT counterparty, native_in_count + native_out_count + token_in_count + token_out_count AS movements
FROM wallet_edges_all
WHERE network = 'ETH' AND address = '0x00000000000000000000000000000000000a11ce'
ORDER BY movements DESC, counterparty
LIMIT 20`,
  },
  {
    group: 'Wallets',
    title: 'Which of its counterparties are labelled',
    statement: `SELECT e.counterparty AS counterparty, l.label AS label, l.name AS name, l.category AS category
FROM wallet_edges_all AS e
INNER JOIN labels_current AS l ON l.network = e.network AND l.address = e.counterparty
WHERE e.network = 'ETH' AND e.address = '0x0000000000000000000000000000000000000b0b'
ORDER BY counterparty, label`,
  },
  {
    group: 'Wallets',
    title: 'Counterparties that two wallets share',
    statement: `SELECT counterparty
FROM wallet_edges_all
WHERE network = 'ETH' AND address = '0x00000000000000000000000000000000000a11ce'
  AND counterparty IN (
    SELECT counterparty FROM wallet_edges_all
    WHERE network = 'ETH' AND address = '0x00000000000000000000000000000000000ca401'
  )
ORDER BY counterparty`,
  },
  {
    group: 'Wallets',
    title: 'Who received money from a sanctioned wallet, directly or through one other wallet',
    statement: `WITH listed AS (
    SELECT address FROM labels_current WHERE network = 'ETH' AND label = 'sanctioned'
  ),
  direct AS (
    SELECT DISTINCT to_address AS address FROM transfers
    WHERE network = 'ETH' AND from_address IN listed AND kind != 'nft'
  )
SELECT address, hops
FROM (
  SELECT address, 1 AS hops FROM direct
  UNION ALL
  SELECT DISTINCT to_address AS address, 2 AS hops FROM transfers
  WHERE network = 'ETH' AND from_address IN direct AND to_address NOT IN direct
)
ORDER BY hops, address`,
  },
  {
    group: 'Wallets',
    title: 'Unlimited approvals that are still in force',
    statement: `SELECT owner, spender, asset, max(block_time) AS since
FROM approvals_all
WHERE network = 'ETH' AND kind = 'fungible'
GROUP BY owner, spender, asset
HAVING argMax(amount, position) > toUInt256('1000000000000000000000000000000000000')
ORDER BY owner, spender, asset`,
  },
  {
    group: 'Verdicts',
    title: 'How many wallets have which verdict',
    statement: `SELECT status, count() AS wallets
FROM wallets_current
WHERE network = 'ETH'
GROUP BY status
ORDER BY status`,
  },
  {
    group: 'Verdicts',
    title: 'How the verdict of a wallet changed',
    statement: `SELECT computed_at, status, probability
FROM record_history
WHERE network = 'ETH' AND address = '0x0000000000000000000000000000000000000b0b'
ORDER BY version`,
  },
  {
    group: 'Verdicts',
    title: 'Most common reasons of fraud verdicts',
    statement: `SELECT reason, count() AS wallets
FROM wallets_current
ARRAY JOIN reason_codes AS reason
WHERE network = 'ETH' AND status = 'Fraud'
GROUP BY reason
ORDER BY wallets DESC, reason`,
  },
  {
    group: 'Verdicts',
    title: 'What could not be evaluated most often',
    statement: `SELECT flag, count() AS wallets
FROM wallets_current
ARRAY JOIN unknowns AS flag
WHERE network = 'ETH'
GROUP BY flag
ORDER BY wallets DESC, flag`,
  },
  {
    group: 'Verdicts',
    title: 'Contracts that a wallet created, and what was found in them',
    statement: `SELECT c.contract AS contract, r.status AS status, r.risk_score AS risk_score, r.is_honeypot AS is_honeypot
FROM creations_all AS c
LEFT JOIN contracts_current AS r ON r.network = c.network AND r.address = c.contract
WHERE c.network = 'ETH' AND c.root_creator = '0x0000000000000000000000000000000000007417' AND c.event = 'create'
ORDER BY contract`,
  },
  {
    group: 'Money',
    title: 'Hourly price of the native coin',
    statement: `SELECT hour, price_usd, swaps, traded_usd
FROM prices
WHERE network = 'ETH' AND asset = '' AND hour >= '2026-01-05 00:00:00' AND hour < '2026-01-06 00:00:00'
ORDER BY hour`,
  },
  {
    group: 'Money',
    title: 'The largest transfers of a day, in dollars',
    statement: `SELECT block_time, from_address, to_address, symbol, amount, round(amount_usd, 2) AS usd
FROM transfers_usd
WHERE network = 'ETH' AND block_hour >= '2026-01-05 00:00:00' AND block_hour < '2026-01-06 00:00:00'
  AND amount_usd IS NOT NULL
ORDER BY amount_usd DESC, position
LIMIT 5`,
  },
  {
    group: 'Money',
    title: 'Transfers in dollars with the last known price, up to a day old',
    statement: `SELECT t.block_time AS block_time, t.symbol AS symbol, round(toFloat64(t.amount) * p.price_usd, 2) AS usd
FROM (SELECT *, network AS of, asset AS coin FROM transfers WHERE network = 'ETH' AND kind = 'native') AS t
ASOF LEFT JOIN (SELECT * FROM prices WHERE network = 'ETH') AS p
  ON p.network = t.of AND p.asset = t.coin AND p.hour <= t.block_time
WHERE t.block_time >= '2026-01-05 04:00:00' AND t.block_time < p.hour + INTERVAL 1 DAY
ORDER BY t.position`,
  },
  {
    group: 'Money',
    title: 'How much of each token moved',
    statement: `SELECT contract_address, any(symbol) AS token, count() AS transfers, sum(amount) AS moved, round(sum(amount_usd), 2) AS usd
FROM token_transfers
WHERE blockchain = 'ETH' AND block_hour >= '2026-01-05 00:00:00' AND block_hour < '2026-01-06 00:00:00'
GROUP BY contract_address
ORDER BY contract_address`,
  },
  {
    group: 'Money',
    title: 'Who holds most of a token',
    statement: `SELECT address, round(assay_amount(toInt256(sum(amount_in)) - toInt256(sum(amount_out)), 18), 6) AS balance
FROM asset_holders
WHERE network = 'ETH' AND asset = '0x0000000000000000000000000000000000003e3e'
GROUP BY address
HAVING balance > 0
ORDER BY balance DESC, address
LIMIT 20`,
  },
  {
    group: 'Exchanges',
    title: 'Volume of each exchange by the day',
    statement: `SELECT toDate(block_hour) AS day, project, version, count() AS trades, round(sum(amount_usd), 2) AS usd
FROM dex_trades
WHERE blockchain = 'ETH' AND block_hour >= '2026-01-05 00:00:00' AND block_hour < '2026-01-06 00:00:00' AND project != ''
GROUP BY day, project, version
ORDER BY day, project, version`,
  },
  {
    group: 'Exchanges',
    title: 'Liquidity that was added to a pool and taken out again',
    statement: `SELECT block_time, event, provider, sum(amount0) OVER (ORDER BY position) AS left0, sum(amount1) OVER (ORDER BY position) AS left1
FROM liquidity_all
WHERE network = 'ETH' AND pool = '0x000000000000000000000000000000000000f004'
ORDER BY position`,
  },
  {
    group: 'The data itself',
    title: 'Indexed range of each network, and blocks without internal calls',
    statement: `SELECT network, min(block_number) AS first_block, max(block_number) AS last_block, max(block_time) AS last_time,
  countIf(sees_traces = 0) AS blocks_without_traces
FROM blocks_all
GROUP BY network
ORDER BY network`,
  },
  {
    group: 'Addresses and units',
    title: 'Look up a wallet by any spelling, and print addresses as explorers do',
    statement: `SELECT block_time, assay_checksum(to_address) AS receiver, amount
FROM transfers
WHERE network = 'ETH' AND from_address = assay_address('0x0000000000000000000000000000000000000B0B') AND asset = ''
ORDER BY position`,
  },
  {
    group: 'Addresses and units',
    title: 'Movements of a coin above an amount, with every digit',
    statement: `SELECT assay_block(position) AS block, address AS sender, assay_exact(amount, 6) AS usdc
FROM ledger_all
WHERE network = 'ETH' AND asset = assay_address('0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48')
  AND direction = -1 AND amount >= assay_raw('1250.5', 6)
ORDER BY position`,
  },
  {
    group: 'Solana',
    title: 'What a wallet traded on exchanges of Solana',
    statement: `WITH moved AS (
  SELECT tx_hash, asset, sum(toInt256(amount) * direction) AS change
  FROM ledger_all
  WHERE network = 'SOLANA' AND address = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'
  GROUP BY tx_hash, asset
  HAVING change != 0
)
SELECT t.block_time AS block_time, t.receiver AS program,
  argMinIf(m.asset, m.asset = '', m.change < 0) AS sold, -argMinIf(m.change, m.asset = '', m.change < 0) AS sold_raw,
  argMinIf(m.asset, m.asset = '', m.change > 0) AS bought, argMinIf(m.change, m.asset = '', m.change > 0) AS bought_raw
FROM transactions_all AS t
INNER JOIN moved AS m ON m.tx_hash = t.tx_hash
WHERE t.network = 'SOLANA' AND t.sender = '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T' AND t.status = 1
  AND t.receiver IN ('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4', 'routeUGWgWzqBWFcrCfv8tritsqukccJPu3q5GPP3xS')
GROUP BY t.position, block_time, program
HAVING countIf(m.change < 0) > 0 AND countIf(m.change > 0) > 0
  AND countIf(m.change < 0 AND m.asset != '') < 2 AND countIf(m.change > 0 AND m.asset != '') < 2
ORDER BY t.position`,
  },
]
