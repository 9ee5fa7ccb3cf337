-- Which of the wallets received tokens that a bridge mints.
SELECT DISTINCT address
FROM {wallet_assets_table:Identifier}
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND asset IN {minted:Array(String)}
