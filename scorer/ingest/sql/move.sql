-- Moves blocks first..last of one table from hot to final. The order is total, so that a repetition is an identical insert.
INSERT INTO {final:Identifier}
SELECT * EXCEPT (version, is_deleted)
FROM {hot:Identifier} FINAL
WHERE network = {network:String} AND block_number BETWEEN {first:UInt32} AND {last:UInt32}
ORDER BY ALL
