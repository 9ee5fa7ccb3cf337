-- Who made some contracts: the account behind the creation, and what created it.
SELECT contract, argMin(root_creator, position) AS maker, argMin(creator, position) AS creator
FROM {creations_table:Identifier}
WHERE network = {network:String} AND contract IN {contracts:Array(String)} AND event = 'create'
GROUP BY contract
