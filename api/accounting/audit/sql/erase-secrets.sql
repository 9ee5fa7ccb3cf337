-- A mutation, because it rewrites the parts: a lightweight delete would leave the secrets on disk. Done when every replica has done it.
ALTER TABLE audit_secrets DELETE WHERE key = {key:String} SETTINGS mutations_sync = 2
