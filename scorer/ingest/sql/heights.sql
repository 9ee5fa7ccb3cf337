-- State of the two tiers as a reader needs it, with number and time (Unix seconds) of the newest block of each. Version 0:
-- the network has no watermark, everything is in the final tier.
SELECT
  max(version) AS version,
  any(state) AS state,
  any(settled) AS settled,
  (SELECT max((block_number, toUnixTimestamp(block_time))) FROM blocks_hot FINAL WHERE network = {network:String}) AS hot,
  (SELECT max((block_number, block_time)) FROM (
    SELECT block_number, toUnixTimestamp(block_time) AS block_time
    FROM blocks WHERE network = {network:String} ORDER BY block_number DESC LIMIT 1
  )) AS final
FROM (SELECT version, state, settled FROM watermarks WHERE network = {network:String} ORDER BY version DESC LIMIT 1)
