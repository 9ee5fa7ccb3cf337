-- Parties that sold NFTs in the transactions: what they received there was the price.
SELECT DISTINCT address AS seller, tx_hash
FROM {ledger_table:Identifier}
WHERE network = {network:String} AND address IN {parties:Array(String)} AND tx_hash IN {transactions:Array(String)}
  AND kind IN ('nft', 'multi') AND direction = -1
