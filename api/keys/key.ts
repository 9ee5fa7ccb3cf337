/** What a key looks like, and what is kept of it. */
import { createHash, randomBytes } from 'node:crypto'
import type { Tier } from '../../schema/records/operations.ts'

const KEY_BYTES = 32
/** Characters of a key that lists show. */
const SHOWN = 12

/** A new key: 32 random bytes, with a prefix people and secret scanners recognise. */
export const newKey = (kind: Tier | 'test'): string => `assay_${kind}_${randomBytes(KEY_BYTES).toString('base64url')}`

/** What is stored of a key. A key is 256 random bits, so that a fast hash without salt is enough. */
export const hashKey = (key: string): string => createHash('sha256').update(key).digest('hex')

/** What lists show of a key: for ours tier and nothing of the random part beyond a few characters. */
export const shownPrefix = (key: string): string => {
  const ours = /^assay_[a-z]+_/.exec(key)
  return ours ? key.slice(0, ours[0].length + 4) : `${key.slice(0, Math.min(4, SHOWN))}...`
}

/** An id for lists and logs. It tells nothing of the key. */
export const newKeyId = (): string => `key_${randomBytes(6).toString('hex')}`
