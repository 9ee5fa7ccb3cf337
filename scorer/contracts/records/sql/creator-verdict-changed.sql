-- Contracts whose record was made with another verdict on their creator, newest record first. `fraud` lists the wallets
-- whose verdict is Fraud now. Analyses that failed, or began and never ended, keep their pause. Analyses that are due
-- already count towards the limit and are not queued again, which would move them behind others.
WITH
  own AS (
    SELECT address FROM contract_watches WHERE network = {network:String} AND watched IN {wallets:Array(String)}
  ),
  put_off AS (
    SELECT address, attempts, due_at FROM contract_retries FINAL
    WHERE network = {network:String} AND address IN (SELECT address FROM own) AND settled = 0
  )
SELECT address
FROM (
  SELECT address, version
  FROM (
    SELECT r.address AS address, max(r.version) AS version, argMax(r.creator, r.version) AS creator,
      argMax(r.creator_fraud, r.version) AS creator_fraud
    FROM contract_records AS r
    WHERE network = {network:String} AND address IN (SELECT address FROM own)
    GROUP BY address
  )
  WHERE creator IN {wallets:Array(String)} AND creator_fraud != (creator IN {fraud:Array(String)})
    AND address NOT IN (SELECT address FROM put_off WHERE attempts > 0)
  ORDER BY version DESC
  LIMIT {limit:UInt32}
)
WHERE address NOT IN (SELECT address FROM put_off WHERE due_at <= fromUnixTimestamp64Milli({now:Int64}))
ORDER BY version DESC
