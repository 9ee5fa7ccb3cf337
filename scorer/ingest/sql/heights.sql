-- State of the two tiers as a reader needs it. Version 0: the network has no watermark, everything is in the final tier.
SELECT
  max(version) AS version,
  any(state) AS state,
  any(settled) AS settled,
  (SELECT max(block_number) FROM blocks_hot FINAL WHERE network = {network:String}) AS hot_head,
  (SELECT max(block_number) FROM (
    SELECT block_number FROM blocks WHERE network = {network:String} ORDER BY block_number DESC LIMIT 1
  )) AS final_head
FROM (SELECT version, state, settled FROM watermarks WHERE network = {network:String} ORDER BY version DESC LIMIT 1)
