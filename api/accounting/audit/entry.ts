/** Entries of the audit log: their hash chain, and the encryption of the parts that lead to an address. */
import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { AUDIT_KINDS } from '../../../schema/tables/service/audit.ts'

/** An entry without its position in a chain. */
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

/** Previous hash of the first entry of a chain. */
export const NO_HASH = '0'.repeat(64)

/** Hash of an entry: covers the previous hash and all columns. */
export const hashOf = (previous: string, chain: string, seq: number, entry: Omit<Entry, 'kind'> & { kind: string }) => {
  const { at, kind, key, operation, network, status, lost, secret, sealed } = entry
  return hash(
    'sha256',
    JSON.stringify([previous, chain, seq, at, kind, key, operation, network, status, lost, secret, sealed]),
  )
}

const sealedPart = z.object({
  address: z.string(),
  /** Version of the record; 0 for an answer without a record. */
  version: z.number(),
  /** SHA-256 of the body, hex. */
  body: z.string(),
})
/**
 * The parts that lead to an address. Version and body hash belong to them: with access to the records one could find the record of
 * that version, or hash all bodies.
 */
export type Sealed = z.output<typeof sealedPart>

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const SECRET_BYTES = 32

/** A secret that seals the entries of one key. Destroying it erases their addresses. */
export const newSecret = (): Buffer => randomBytes(SECRET_BYTES)

/** The nonce is the number of the entry. A secret is used in one chain only, so a nonce never repeats. */
const nonceOf = (seq: number): Buffer => {
  const nonce = Buffer.alloc(NONCE_BYTES)
  nonce.writeBigUInt64BE(BigInt(seq), NONCE_BYTES - 8)
  return nonce
}

/** Encrypts the sealed part of entry `seq`. */
export const seal = (secret: Buffer, seq: number, part: Sealed): string => {
  const cipher = createCipheriv(CIPHER, secret, nonceOf(seq))
  const text = Buffer.concat([cipher.update(JSON.stringify(part), 'utf8'), cipher.final()])
  return Buffer.concat([cipher.getAuthTag(), text]).toString('base64')
}

/** Decrypts; `undefined` if it was sealed with another secret or number, or was changed. */
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
