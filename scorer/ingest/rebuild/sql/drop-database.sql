DROP DATABASE IF EXISTS {database:Identifier} SYNC
