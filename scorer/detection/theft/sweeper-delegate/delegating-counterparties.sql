-- Counterparties of the wallets that ever delegated their code (EIP-7702), in either tier. Few have any, and this check is cheaper than the
-- details.
SELECT DISTINCT authority
FROM (
  SELECT authority FROM delegations
  WHERE network = {network:String} AND authority IN (
    SELECT counterparty FROM wallet_edges WHERE network = {network:String} AND address IN {addresses:Array(String)}
    UNION DISTINCT
    SELECT counterparty FROM ledger_hot WHERE network = {network:String} AND address IN {addresses:Array(String)}
  )
  UNION ALL
  SELECT authority FROM delegations_hot
  WHERE network = {network:String} AND authority IN (
    SELECT counterparty FROM wallet_edges WHERE network = {network:String} AND address IN {addresses:Array(String)}
    UNION DISTINCT
    SELECT counterparty FROM ledger_hot WHERE network = {network:String} AND address IN {addresses:Array(String)}
  )
)
