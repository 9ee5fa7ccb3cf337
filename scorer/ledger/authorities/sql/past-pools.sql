-- Number of uses of mixer pools before the first covered block.
WITH (SELECT min(block_number) FROM first_covered_blocks WHERE network = {network:String}) AS first
SELECT authority AS pool, count() AS events
FROM authority_past FINAL
WHERE network = {network:String} AND authority IN {pools:Array(String)} AND event IN ('mixer_deposit', 'mixer_withdraw')
  AND block_number < first
GROUP BY authority
