ALTER TABLE {table:Identifier} REPLACE PARTITION tuple({network:String}, {bucket:UInt64}) FROM {from:Identifier}.{table:Identifier}
