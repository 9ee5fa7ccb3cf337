-- Which of the wallets dealt with a wallet whose money is known as that of an offence, or comes from one within two transfers.
-- Older rows of a record may be among them: whoever is named here is looked at, no more.
SELECT DISTINCT address
FROM {counterparties_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND counterparty IN (
  SELECT address FROM wallet_records
  WHERE network = {network:String} AND (offence != '' OR offence_hops BETWEEN 1 AND 2) AND address IN (
    SELECT counterparty FROM {counterparties_table:Identifier}
    WHERE network = {network:String} AND address IN {addresses:Array(String)}
  )
)
