-- Makers of the contracts: the account behind the creation, and the direct creator.
SELECT contract, argMin(root_creator, position) AS maker, argMin(creator, position) AS creator
FROM {creations_table:Identifier}
WHERE network = {network:String} AND contract IN {contracts:Array(String)} AND event = 'create'
GROUP BY contract
