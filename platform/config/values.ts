/** Types of settings, as zod schemas over text. */
import { isIP } from 'node:net'
import { z } from 'zod'

/** Text that cannot be printed by accident. Only `reveal` returns it. */
export type Secret = { reveal: () => string; toString: () => string; toJSON: () => string }

/** Wraps a secret, so that logs and JSON show `[secret]` instead. */
export const secret = (value: string): Secret => ({
  reveal: () => value,
  toString: () => '[secret]',
  toJSON: () => '[secret]',
})

/** A comma-separated list. */
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

/** A whole number from 0, in decimal digits: `1e3` and `-1` are refused. */
export const integer = z.string().regex(/^\d+$/, 'a whole number').transform(Number)

/** `true` or `false`, nothing else. */
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true')

/** A secret of at least one character. */
export const secretText = z.string().min(1).transform(secret)

/** Whether a text is an address, or a range smaller than the whole address space of a family. */
const isProxy = (text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  if (bits === undefined) return true
  // Shorter prefixes cover all IPv4-mapped addresses.
  const mapped = address.toLowerCase().startsWith('::ffff:') ? 97 : 1
  return (
    /^\d{1,3}$/.test(bits) && Number(bits) >= (family === 4 ? 1 : mapped) && Number(bits) <= (family === 4 ? 32 : 128)
  )
}

/** Trusted proxies. If every address were trusted, any caller could forge the headers. */
export const proxies = list.pipe(
  z.array(
    z
      .string()
      .refine(
        isProxy,
        'expected addresses or CIDR ranges of proxies; a range that covers all addresses is not allowed',
      ),
  ),
)

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

const isPublicUrl = (text: string): boolean => {
  const { protocol, hostname, username, password, search, hash } = new URL(text)
  const plain = protocol === 'http:' && LOOPBACK.test(hostname)
  return (protocol === 'https:' || plain) && `${username}${password}${search}${hash}` === ''
}

/** A public URL without secrets. */
export const publicUrl = z.url().refine(isPublicUrl, {
  error: 'expected an https URL without login, query or fragment',
  when: ({ value }) => URL.canParse(String(value)),
})
