-- As what the money of the addresses is known by flags of their newest records that rest on their own acts or on lists.
SELECT address, toString(offence) AS offence
FROM wallet_records FINAL
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND offence != ''
