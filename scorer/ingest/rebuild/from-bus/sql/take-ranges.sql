-- `inserts` is reset, because these inserts went to other tables with other deduplication windows.
INSERT INTO covered_ranges
SELECT * REPLACE (0 AS inserts) FROM {from:Identifier}.covered_ranges
WHERE network = {network:String} AND epoch = {epoch:UInt32}
ORDER BY ALL
