-- Which of the addresses are contracts with a known creation.
SELECT DISTINCT contract
FROM {creations_table:Identifier}
WHERE network = {network:String} AND contract IN {addresses:Array(String)} AND event = 'create'
