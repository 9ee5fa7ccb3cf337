-- Which of the addresses ever received a gas token. Final rows only, which is cheap.
SELECT DISTINCT address
FROM wallet_assets
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND asset IN {assets:Array(String)} AND amount_in > 0
