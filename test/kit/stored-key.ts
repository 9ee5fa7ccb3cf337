import { hashKey } from '../../api/keys/key.ts'
import type { StoredKey } from '../../api/keys/keys.ts'

/** A stored key, valid and without limits. */
export const storedKey = (key: string, { id = key, tier = 'business' }: Partial<StoredKey> = {}): StoredKey => ({
  id,
  tier,
  label: '',
  hash: hashKey(key),
  prefix: '',
  created: 0,
  expires: 0,
  revoked: false,
  replaced: '',
  operations: [],
  networks: [],
  sources: [],
  test: false,
})
