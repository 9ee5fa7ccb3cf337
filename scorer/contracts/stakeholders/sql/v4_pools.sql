-- V4 pools of a token.
SELECT pool, token0, token1, fee, hooks
FROM pools_all
WHERE network = {network:String} AND kind = 'v4' AND (token0 = {token:String} OR token1 = {token:String})
LIMIT 50
