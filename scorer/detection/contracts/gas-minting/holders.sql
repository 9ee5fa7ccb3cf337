-- Which of the addresses ever got a gas token. Final rows only: a look that costs next to nothing.
SELECT DISTINCT address
FROM wallet_assets
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND asset IN {assets:Array(String)} AND amount_in > 0
