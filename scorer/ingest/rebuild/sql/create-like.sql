-- An empty table of the same structure, without its views.
CREATE TABLE {database:Identifier}.{table:Identifier} AS {table:Identifier}
