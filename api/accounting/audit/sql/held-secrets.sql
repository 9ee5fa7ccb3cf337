-- Secrets of a chain that were not erased.
SELECT id FROM audit_secrets WHERE chain = {chain:String}
