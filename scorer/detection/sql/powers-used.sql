-- Which of the selectors some accounts called at a contract, with success, until a time (Unix seconds).
SELECT DISTINCT sender, selector
FROM {transactions_table:Identifier}
WHERE network = {network:String} AND sender IN {senders:Array(String)} AND receiver = {contract:String} AND status = 1
  AND selector IN {selectors:Array(String)} AND toUnixTimestamp(block_time) <= {until:UInt32}
