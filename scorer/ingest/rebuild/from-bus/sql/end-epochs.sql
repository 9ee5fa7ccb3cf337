-- Claims every block that earlier epochs do not cover, so that a scorer that does not know the new epoch cannot insert any.
INSERT INTO covered_ranges (network, epoch, slot, first_block, last_block, claimed_by, inserts, version)
SELECT
  c.network, c.epoch, max(c.slot) + 1, 0, 4294967295,
  concat('epoch ', toString({epoch:UInt32}), ', to which the network was rebuilt'), max(c.inserts), max(c.version) + 1
FROM covered_ranges AS c
WHERE c.network = {network:String} AND c.epoch < {epoch:UInt32}
GROUP BY c.network, c.epoch
ORDER BY c.epoch
