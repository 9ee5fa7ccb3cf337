-- Which payers paid which payees in movements they signed.
SELECT address AS payer, counterparty AS payee
FROM {wallet_edges_table:Identifier}
WHERE network = {network:String} AND address IN {payers:Array(String)} AND counterparty IN {payees:Array(String)}
  AND own > 0 AND native_out_count + token_out_count > 0
