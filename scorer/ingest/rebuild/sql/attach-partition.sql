-- Shares all rows of a network with the table in use, without copying.
ALTER TABLE {into:Identifier}.{table:Identifier} ATTACH PARTITION tuple({network:String}) FROM {home:Identifier}.{table:Identifier}
