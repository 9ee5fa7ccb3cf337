-- Facts of blocks first..last from the hot tier. The order is total, so that a repetition is an identical insert.
INSERT INTO wallet_facts (network, address, fact, block_time, position, counterparty, amount, fee, own, failed, pulled)
SELECT network, address, fact, block_time, position, counterparty, amount, fee, own, failed, pulled
FROM facts_hot FINAL
WHERE network = {network:String} AND block_number BETWEEN {first:UInt32} AND {last:UInt32}
ORDER BY ALL
