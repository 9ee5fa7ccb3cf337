-- Number of owners who signed approvals of each asset themselves.
SELECT asset, toUInt32(signers) AS signers
FROM {asset_approvals_table:Identifier}
WHERE network = {network:String} AND asset IN {assets:Array(String)}
