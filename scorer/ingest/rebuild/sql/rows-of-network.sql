SELECT count() AS rows FROM {database:Identifier}.{table:Identifier} WHERE network = {network:String}
