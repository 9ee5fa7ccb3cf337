/**
 * Stateless sessions of the console: a cookie holds the encrypted API key. Every request is checked like a request with the key, so
 * revoking a key ends its sessions.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const TOKEN_BYTES = 32
/** Lifetime of a session, seconds. */
export const SESSION_SECONDS = 12 * 3_600
/** Lifetime of a sign-in link, ms. */
const LINK_MS = 10 * 60_000
/** Longer cookies are not ours. */
const MAX_COOKIE = 1_024

const sealed = z.object({ key: z.string(), until: z.number() })

/** Sessions of the console. */
export type Sessions = {
  /** Cookie value for a key. */
  seal: (key: string) => string
  /** The key in a cookie; `undefined` if the cookie is invalid or expired. */
  open: (cookie: string) => string | undefined
  /** Creates a one-time sign-in token for a key, valid for ten minutes. */
  createLink: (key: string) => string
  /** The key of an unused token, which becomes invalid. */
  redeem: (token: string) => string | undefined
}

/** Options of sessions. */
export type SessionsOptions = {
  /** Encryption secret, shared by replicas. @default a random secret of this process */
  secret?: string | undefined
  /** Milliseconds since the epoch. */
  now: () => number
}

/** Cookies are encrypted with AES-256-GCM. Sign-in tokens are kept in this process. */
export const createSessions = ({ secret, now }: SessionsOptions): Sessions => {
  const sealingKey =
    secret === undefined ? randomBytes(32) : createHash('sha256').update(`console sessions: ${secret}`).digest()
  /** By hash, so that look-up times reveal nothing about the tokens. */
  const links = new Map<string, { key: string; until: number }>()
  const nameOf = (token: string) => createHash('sha256').update(token).digest('hex')

  return {
    seal: (key) => {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv(ALGORITHM, sealingKey, iv)
      const content = JSON.stringify({ key, until: now() + SESSION_SECONDS * 1_000 })
      return Buffer.concat([iv, cipher.update(content, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString(
        'base64url',
      )
    },
    open: (cookie) => {
      const bytes = Buffer.from(cookie.slice(0, MAX_COOKIE), 'base64url')
      if (bytes.length <= IV_BYTES + TAG_BYTES) return undefined
      try {
        const decipher = createDecipheriv(ALGORITHM, sealingKey, bytes.subarray(0, IV_BYTES), {
          authTagLength: TAG_BYTES,
        }).setAuthTag(bytes.subarray(-TAG_BYTES))
        const content = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()])
        const { key, until } = sealed.parse(JSON.parse(content.toString('utf8')))
        return until > now() ? key : undefined
      } catch {
        // Encrypted by another process, or forged.
        return undefined
      }
    },
    createLink: (key) => {
      const token = randomBytes(TOKEN_BYTES).toString('base64url')
      links.set(nameOf(token), { key, until: now() + LINK_MS })
      return token
    },
    redeem: (token) => {
      const name = nameOf(token)
      const link = links.get(name)
      links.delete(name)
      return link && link.until > now() ? link.key : undefined
    },
  }
}
