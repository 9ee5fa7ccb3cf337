-- Their inserts were made into other tables, whose windows these do not share.
INSERT INTO covered_ranges
SELECT * REPLACE (0 AS inserts) FROM {from:Identifier}.covered_ranges
WHERE network = {network:String} AND epoch = {epoch:UInt32}
ORDER BY ALL
