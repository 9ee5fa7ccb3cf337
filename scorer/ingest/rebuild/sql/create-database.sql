CREATE DATABASE {database:Identifier}
