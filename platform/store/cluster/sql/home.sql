SELECT version, replica FROM schema_homes ORDER BY version DESC LIMIT 1
