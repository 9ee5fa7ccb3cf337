-- How many secrets a key has.
SELECT count(DISTINCT id) AS secrets FROM audit_secrets WHERE key = {key:String}
