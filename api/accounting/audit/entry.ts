/** Entries of the audit log, how they are chained, and how what they say of an address is sealed. */
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { AUDIT_KINDS } from '../../../schema/tables/service/audit.ts'

/** An entry without its place in a chain. */
export type Entry = {
  /** Milliseconds since the epoch. */
  at: number
  kind: (typeof AUDIT_KINDS)[number]
  key: string
  operation: string
  network: string
  status: number
  lost: number
  secret: string
  sealed: string
}

/** A row of table `audit_log`, times in milliseconds since the epoch. */
export const auditRow = z
  .object({
    chain: z.string(),
    seq: z.coerce.number(),
    ms: z.coerce.number(),
    kind: z.string(),
    key: z.string(),
    operation: z.string(),
    network: z.string(),
    status: z.number(),
    lost: z.coerce.number(),
    secret: z.string(),
    sealed: z.string(),
    hash: z.string(),
  })
  .transform(({ ms: at, ...row }) => ({ at, ...row }))
/** An entry as it is stored: chained to the one before, its address sealed. */
export type AuditRow = z.output<typeof auditRow>

/** What the first entry of a chain follows. */
export const NO_HASH = '0'.repeat(64)

/** Hash of an entry: it covers the entry before it and each of its own columns. */
export const hashOf = (previous: string, chain: string, seq: number, entry: Omit<Entry, 'kind'> & { kind: string }) => {
  const { at, kind, key, operation, network, status, lost, secret, sealed } = entry
  return hash(
    'sha256',
    JSON.stringify([previous, chain, seq, at, kind, key, operation, network, status, lost, secret, sealed]),
  )
}

const sealedPart = z.object({
  address: z.string(),
  /** Version of the record; 0 when the answer has none. */
  version: z.number(),
  /** SHA-256 of the body, hex. */
  body: z.string(),
})
/**
 * What leads to an address. Version and body are part of it: whoever has the records could look for the one of that version, or hash all
 * bodies.
 */
export type Sealed = z.output<typeof sealedPart>

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const SECRET_BYTES = 32

/** A secret that seals addresses of one key. Who destroys it erases them all. */
export const newSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** The number of the entry: a secret belongs to one chain, so that no two entries have both the same. */
const nonceOf = (seq: number): Buffer => {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeBigUInt64BE(BigInt(seq), NONCE_BYTES - 8)
  return nonce
}

/** Encrypts what leads to an address, for the entry of a number in the chain of the secret. */
export const seal = (secret: Buffer, seq: number, part: Sealed): string => {
  const cipher = createCipheriv(CIPHER, secret, nonceOf(seq))
  const text = Buffer.concat([cipher.update(JSON.stringify(part), 'utf8'), cipher.final()])
  return Buffer.concat([cipher.getAuthTag(), text]).toString('base64')
}

/** `undefined` when it was not sealed with this secret for this number, or was changed since. */
export const unseal = (secret: Buffer, seq: number, sealed: string): Sealed | undefined => {
  const bytes = Buffer.from(sealed, 'base64')
  try {
    const decipher = createDecipheriv(CIPHER, secret, nonceOf(seq))
    decipher.setAuthTag(bytes.subarray(0, TAG_BYTES))
    const text = Buffer.concat([decipher.update(bytes.subarray(TAG_BYTES)), decipher.final()])
    return sealedPart.parse(JSON.parse(text.toString('utf8')))
  } catch {
    return undefined
  }
}
