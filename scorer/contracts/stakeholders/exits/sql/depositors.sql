-- Who added the liquidity that some contracts hold in some pools, at any time: three of each at most, of whom one alone is somebody.
SELECT pool, owner, groupUniqArray(3)(provider) AS providers
FROM liquidity_all
WHERE network = {network:String} AND pool IN {pools:Array(String)} AND owner IN {owners:Array(String)} AND event = 'add'
GROUP BY pool, owner
