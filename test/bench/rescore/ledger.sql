INSERT INTO ledger
SELECT network, block_number, block_time, position, tx_hash, side.1, side.2, side.3, if(selector = '', 'native', 'fungible'),
  if(selector = '', '', '0x00000000000000000000000000000000000000ff'), 0, value, sender
FROM transactions ARRAY JOIN [(sender, receiver, toInt8(-1)), (receiver, sender, toInt8(1))] AS side
WHERE status != 0 AND nonce >= {from:UInt64} AND nonce < {from:UInt64} + {count:UInt64}
