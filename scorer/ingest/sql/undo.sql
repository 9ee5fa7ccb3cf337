-- Tombstones for rows of blocks from `from` on that are older than this undo.
INSERT INTO {hot:Identifier}
SELECT * EXCEPT (version, is_deleted), {version:UInt64} AS undone_by, 1 AS gone
FROM {hot:Identifier} FINAL
WHERE network = {network:String} AND block_number >= {from:UInt32} AND version < {version:UInt64}
