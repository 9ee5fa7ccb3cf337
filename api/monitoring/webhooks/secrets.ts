/**
 * Webhook secrets. They sign deliveries, so they cannot be stored as hashes: they are encrypted with a key from the settings, which is not
 * in the database. Signatures follow Standard Webhooks 1.0.0.
 */
import { createCipheriv, createDecipheriv, createHmac, hash, hkdfSync, randomBytes } from 'node:crypto'
import type { Secret } from '../../../platform/config/config.ts'

const PREFIX = 'whsec_'
/** Standard Webhooks allows 24 to 64 bytes. */
const SECRET_BYTES = 32
const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
const KEY_BYTES = 32

/** A new secret, in the form shown to its owner. */
export const newSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`

/** Value of the header `webhook-signature`: one signature per secret. `timestamp` in Unix seconds. */
export const signatureOf = (secrets: readonly string[], id: string, timestamp: number, body: string): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
      return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
    })
    .join(' ')

/** Encrypts secrets for the store. */
export type Seals = {
  /** Encrypts a secret for one endpoint of one account. */
  seal: (secret: string, owner: string) => string
  /** `undefined` if no key decrypts it, or it belongs to another endpoint. */
  open: (sealed: string, owner: string) => string | undefined
}

/** Encrypts with the first key and decrypts with all of them, so that keys can be rotated. */
export const createSeals = (keys: readonly Secret[]): Seals => {
  const made = keys.map((key) => {
    const bytes = Buffer.from(hkdfSync('sha256', key.reveal(), '', 'secrets of webhooks', KEY_BYTES))
    return { bytes, name: hash('sha256', bytes).slice(0, 8) }
  })
  return {
    seal: (secret, owner) => {
      const [first] = made
      if (!first) throw new TypeError('there is no key to seal with')
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, first.bytes, nonce).setAAD(Buffer.from(owner))
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return `${first.name}.${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString('base64')}`
    },
    open: (sealed, owner) => {
      const [name = '', base64 = ''] = sealed.split('.')
      const key = made.find((one) => one.name === name)
      const bytes = Buffer.from(base64, 'base64')
      if (!key || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
      try {
        const decipher = createDecipheriv(CIPHER, key.bytes, bytes.subarray(0, NONCE_BYTES))
        decipher.setAAD(Buffer.from(owner))
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
        const text = Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
        return text.toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}
