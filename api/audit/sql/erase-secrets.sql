-- A mutation, because it rewrites the parts: a lightweight delete would leave the secrets on disk.
ALTER TABLE audit_secrets DELETE WHERE key = {key:String}
