-- The newest row of every slot of a network. Includes deleted slots, which may have the newest version.
SELECT
  slot, first_block, last_block, parent_hash, last_hash, traces, claimed_by, claimed_at, inserts, version, is_deleted
FROM covered_ranges
WHERE network = {network:String} AND epoch = {epoch:UInt32}
ORDER BY slot, version DESC
LIMIT 1 BY slot
