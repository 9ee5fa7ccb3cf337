-- Secrets by their ids.
SELECT id, secret FROM audit_secrets WHERE id IN {ids:Array(String)}
