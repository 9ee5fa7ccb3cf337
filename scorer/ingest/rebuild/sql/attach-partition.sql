-- All rows of a network, shared with the table in use: nothing is copied.
ALTER TABLE {into:Identifier}.{table:Identifier} ATTACH PARTITION tuple({network:String}) FROM {home:Identifier}.{table:Identifier}
