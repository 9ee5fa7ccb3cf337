-- Wallets that dealt with a wallet whose funds are of an offence, or come from one within two transfers, with that wallet; and wallets
-- that had such funds when they were last scored (empty `counterparty`). Outdated rows of a record may match: results are only candidates.
SELECT DISTINCT address, counterparty
FROM {counterparties_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND counterparty IN (
  SELECT address FROM wallet_records
  WHERE network = {network:String} AND (offence != '' OR offence_hops BETWEEN 1 AND 2) AND address IN (
    SELECT counterparty FROM {counterparties_table:Identifier}
    WHERE network = {network:String} AND address IN {addresses:Array(String)}
  )
)
UNION ALL
SELECT DISTINCT address, '' AS counterparty
FROM wallet_records
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND offence_hops > 0
