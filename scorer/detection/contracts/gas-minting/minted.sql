-- Gas tokens minted to the beneficiaries in transactions that others signed and that called one of the tokens. Excludes mints of
-- which the signer received half or more. Few per signer, so that many of one signer hide no others.
SELECT
  m.address AS beneficiary, m.asset AS asset, toString(m.amount) AS amount, m.initiator AS caller, t.receiver AS token,
  t.selector AS selector, toUInt32(t.gas_used) AS gas_used, m.tx_hash AS tx_hash
FROM (
  SELECT address, asset, amount, initiator, tx_hash, position
  FROM (
    SELECT address, asset, amount, initiator, tx_hash, position
    FROM {ledger_table:Identifier}
    WHERE network = {network:String} AND address IN {beneficiaries:Array(String)} AND asset IN {assets:Array(String)}
      AND direction = 1 AND amount > 0 AND initiator != address
      AND counterparty = '0x0000000000000000000000000000000000000000'
    ORDER BY address, initiator, position
    LIMIT 10 BY address, initiator
  )
  ORDER BY address, position
  LIMIT 1000 BY address
) AS m
INNER JOIN (
  SELECT sender, receiver, selector, gas_used, tx_hash
  FROM {transactions_table:Identifier}
  WHERE network = {network:String} AND receiver IN {tokens:Array(String)} AND sender IN (
    SELECT initiator FROM {ledger_table:Identifier}
    WHERE network = {network:String} AND address IN {beneficiaries:Array(String)} AND asset IN {assets:Array(String)}
      AND direction = 1 AND initiator != address
  )
) AS t ON t.tx_hash = m.tx_hash AND t.sender = m.initiator
LEFT JOIN (
  SELECT address, asset, tx_hash, sum(toFloat64(l.amount)) AS returned
  FROM {ledger_table:Identifier} AS l
  WHERE network = {network:String} AND direction = 1 AND asset IN {assets:Array(String)} AND address IN (
    SELECT initiator FROM {ledger_table:Identifier}
    WHERE network = {network:String} AND address IN {beneficiaries:Array(String)} AND asset IN {assets:Array(String)}
      AND direction = 1 AND initiator != address
  )
  GROUP BY address, asset, tx_hash
) AS r ON r.address = m.initiator AND r.asset = m.asset AND r.tx_hash = m.tx_hash
WHERE ifNull(r.returned, 0) < 0.5 * toFloat64(m.amount)
ORDER BY beneficiary, m.position
