-- Incoming transfers of tokens, NFTs or given ERC-1155 ids, by sender; for mints, by signer.
SELECT address AS to, counterparty AS from, if(counterparty IN ('', '0x0000000000000000000000000000000000000000'), initiator, '') AS signer,
  toString(if(kind = 'nft', toUInt256(count()), sum(l.amount))) AS amount
FROM ledger_all AS l
WHERE network = {network:String} AND address IN {accounts:Array(String)} AND block_time >= toDateTime({since:UInt32}, 'UTC')
  AND asset IN {assets:Array(String)} AND direction = 1 AND (kind IN ('fungible', 'nft') OR (kind = 'multi' AND toString(token_id) IN {numbers:Array(String)}))
GROUP BY address, counterparty, signer, kind
ORDER BY sum(l.amount) DESC
LIMIT 100 BY address
