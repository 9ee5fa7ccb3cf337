-- Accounts that added the liquidity which some contracts hold in some pools, at any time: at most three each, because
-- only a single one counts.
SELECT pool, owner, groupUniqArray(3)(provider) AS providers
FROM liquidity_all
WHERE network = {network:String} AND pool IN {pools:Array(String)} AND owner IN {owners:Array(String)} AND event = 'add'
GROUP BY pool, owner
