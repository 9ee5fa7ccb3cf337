-- Native payments among {wallets} wallets, a few with calls and tokens; both sides of every movement.
INSERT INTO transactions
SELECT 'ETH', n DIV 200 AS block_number, toDateTime(1700000000 + 12 * (n DIV 200)), bitShiftLeft(toUInt64(n DIV 200), 34) + bitShiftLeft(toUInt64(n % 200), 19),
  concat('0x', hex(n)), concat('0x', leftPad(lower(hex(cityHash64(n) % {wallets:UInt32})), 40, '0')),
  concat('0x', leftPad(lower(hex(cityHash64(n, 1) % {wallets:UInt32})), 40, '0')),
  toUInt256(1000000000000000 * (1 + n % 997)), 21000, n, 2, if(n % 50 = 0, 0, 1), 21000, if(n % 3 = 0, '0xa9059cbb', ''), 0, '', ''
FROM (SELECT number AS n FROM numbers({from:UInt64}, {count:UInt64}))
