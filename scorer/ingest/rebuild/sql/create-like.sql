-- An empty table of the same shape, without what feeds it.
CREATE TABLE {database:Identifier}.{table:Identifier} AS {table:Identifier}
