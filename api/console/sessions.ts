/**
 * Who is signed in to the console. Nothing is kept here: a cookie holds the key itself, sealed with a secret that only the API
 * has, so that every request is checked as one with the key is, and a key that is revoked ends its sessions.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto'
import { z } from 'zod'

const ALGORITHM = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16
const TOKEN_BYTES = 32
/** How long somebody stays signed in, seconds. */
export const SESSION_SECONDS = 12 * 3_600
/** How long a link of the terminal signs in, ms. */
const LINK_MS = 10 * 60_000
/** Longer cookies are none of ours. */
const MAX_COOKIE = 1_024

const sealed = z.object({ key: z.string(), until: z.number() })

/** Sign-ins to the console. */
export type Sessions = {
  /** Value of the cookie of somebody who has the key. */
  seal: (key: string) => string
  /** The key in a cookie; `undefined` when it is not one of ours, or too old. */
  open: (cookie: string) => string | undefined
  /** Makes a token that signs in with a key, once, within ten minutes. */
  createLink: (key: string) => string
  /** The key of a link that was not used yet. */
  redeem: (token: string) => string | undefined
}

/** What seals cookies, and the time. */
export type SessionsOptions = {
  /** Shared by replicas, so that a session of one is a session of all; one of this process without it. */
  secret?: string | undefined
  /** Milliseconds since the epoch. */
  now: () => number
}

/** Cookies are sealed with AES-256-GCM; links are kept in this process until they are used or too old. */
export const createSessions = ({ secret, now }: SessionsOptions): Sessions => {
  const sealingKey =
    secret === undefined ? randomBytes(32) : createHash('sha256').update(`console sessions: ${secret}`).digest()
  /** By hash, so that how long a look-up takes says nothing about the tokens there are. */
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
        // Sealed by another process, or by nobody.
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
