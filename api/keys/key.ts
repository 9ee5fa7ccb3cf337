/** Format of API keys, and what is stored of a key. */
import { createHash, randomBytes } from 'node:crypto'
import type { Tier } from '../../schema/records/operations.ts'

const KEY_BYTES = 32

/** A new key: 32 random bytes, with a prefix that people and secret scanners recognise. */
export const newKey = (kind: Tier | 'test'): string => `assay_${kind}_${randomBytes(KEY_BYTES).toString('base64url')}`

/** The stored hash of a key. Keys are 256 random bits, so a fast hash without salt is enough. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex')

/** What lists show of a key: the prefix and the first four random characters, or the first four of a key with another format. */
export const shownPrefix = (key: string): string => {
  const ours = /^assay_[a-z]+_/.exec(key)
  return ours ? key.slice(0, ours[0].length + 4) : `${key.slice(0, 4)}...`
}

/** A random id for lists and logs, unrelated to the key. */
export const newKeyId = (): string => `key_${randomBytes(6).toString('hex')}`
