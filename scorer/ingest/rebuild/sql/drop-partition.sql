ALTER TABLE {table:Identifier} DROP PARTITION tuple({network:String})
