ALTER TABLE {table:Identifier} REPLACE PARTITION tuple({network:String}) FROM {from:Identifier}.{table:Identifier}
