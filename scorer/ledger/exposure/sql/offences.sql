-- Offence category of the addresses' funds in their newest records.
SELECT address, toString(offence) AS offence
FROM wallet_records FINAL
WHERE network = {network:String} AND address IN {addresses:Array(String)} AND offence != ''
