/** Kinds of values that settings have, as zod schemas over text. */
import { isIP } from 'node:net'
import { z } from 'zod'

/** Text that cannot be printed by accident. `reveal` is the only way to the value. */
export type Secret = { reveal: () => string; toString: () => string; toJSON: () => string }

/** Wraps a value that came from outside, so that logs and JSON show `[secret]` in its place. */
export const secret = (value: string): Secret => ({
  reveal: () => value,
  toString: () => '[secret]',
  toJSON: () => '[secret]',
})

/** Items between commas. */
export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

/** A whole number from 0, in decimal digits alone: `1e3` and `-1` are refused. */
export const integer = z.string().regex(/^\d+$/, 'a whole number').transform(Number)

/** `true` or `false`, and no other word for them. */
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true')

/** Text that is a secret, of any content but not empty. */
export const secretText = z.string().min(1).transform(secret)

/** Whether a text is an address, or a range that does not have all addresses of a family. */
const isProxy = (text: string): boolean => {
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  if (bits === undefined) return true
  // Below it are all addresses of IPv4, as IPv6 has them.
  const mapped = address.toLowerCase().startsWith('::ffff:') ? 97 : 1
  return (
    /^\d{1,3}$/.test(bits) && Number(bits) >= (family === 4 ? 1 : mapped) && Number(bits) <= (family === 4 ? 32 : 128)
  )
}

/** Proxies whose word is believed. Whoever believes everybody can be told anything. */
export const proxies = list.pipe(
  z.array(z.string().refine(isProxy, 'addresses or CIDR ranges of proxies, and no range that has every address')),
)

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

const isPublicUrl = (text: string): boolean => {
  const { protocol, hostname, username, password, search, hash } = new URL(text)
  const plain = protocol === 'http:' && LOOPBACK.test(hostname)
  return (protocol === 'https:' || plain) && `${username}${password}${search}${hash}` === ''
}

/** A URL that everybody gets to see, and can reach. */
export const publicUrl = z.url().refine(isPublicUrl, {
  error: 'an https URL without login, query and fragment',
  when: ({ value }) => URL.canParse(String(value)),
})
