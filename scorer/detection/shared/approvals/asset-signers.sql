-- How many owners signed for approvals of some assets themselves.
SELECT asset, toUInt32(signers) AS signers
FROM asset_approvals_all
WHERE network = {network:String} AND asset IN {assets:Array(String)}
