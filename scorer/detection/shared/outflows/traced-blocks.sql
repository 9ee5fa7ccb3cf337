-- Blocks with visible internal payments.
SELECT DISTINCT toUInt32(block_number) AS block
FROM {blocks_table:Identifier}
WHERE network = {network:String} AND block_number IN {blocks:Array(UInt64)} AND sees_traces = 1
