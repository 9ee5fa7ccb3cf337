-- Copies the rows of ten blocks as rows of ten blocks that are not final yet, {later} blocks later.
INSERT INTO {hot:Identifier}
SELECT * REPLACE (
    block_number + {later:UInt32} AS block_number, block_time + 12 * {later:UInt32} AS block_time,
    position + bitShiftLeft(toUInt64({later:UInt32}), 34) AS position),
  toUInt64(1) AS version, toUInt8(0) AS is_deleted
FROM {table:Identifier}
WHERE block_number > {from:UInt32} AND block_number <= {from:UInt32} + 10
