/** Targets that untrusted parties may have us send to: https, a usual port, a public address. */
import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'
import { isLoopbackAddress, isPublicAddress } from './public-address.ts'

/** Allowed ports. */
const TARGET_PORTS: readonly number[] = [443, 8443]

/** The target is not allowed. The message names no resolved address. */
export class TargetRefused extends Error {
  override readonly name = 'TargetRefused'
}

/** Resolves a name to all its addresses. @throws when it cannot be resolved. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>

/** Exceptions to the public internet, and the resolver. */
export type TargetRules = {
  /** Allows loopback addresses, plain HTTP to them and any port: for tests and the demonstration. */
  allowLoopback: boolean
  /** @default the name servers of this machine */
  resolve?: Resolve
}

const DNS = { timeout: 3_000, tries: 2 }

/** Asks name servers directly: with the system's resolver, slow names would block threads that everybody shares. */
const resolveByName: Resolve = async (host, signal) => {
  const resolver = new Resolver(DNS)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

/** The host of a URL, without brackets and trailing dot. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '')

const isLoopbackName = (host: string): boolean => host === 'localhost' || (isIP(host) !== 0 && isLoopbackAddress(host))

/**
 * Parses a target and checks everything that needs no lookup.
 * @throws TargetRefused
 */
export const parseTarget = (text: string, { allowLoopback }: TargetRules): URL => {
  if (!URL.canParse(text)) throw new TargetRefused('is not a URL')
  const url = new URL(text)
  const host = hostOf(url)
  if (url.username !== '' || url.password !== '') throw new TargetRefused('must not have a user or a password')
  url.hash = ''
  if (allowLoopback && isLoopbackName(host) && /^https?:$/.test(url.protocol)) return url
  if (url.protocol !== 'https:') throw new TargetRefused('must begin with https://')
  if (!allowLoopback && !TARGET_PORTS.includes(Number(url.port || 443))) {
    throw new TargetRefused(`must use port ${TARGET_PORTS.join(' or ')}`)
  }
  const isName = isIP(host) === 0
  if (isName ? !host.includes('.') || isLoopbackName(host) : !isPublicAddress(host)) {
    throw new TargetRefused('must be a host of the public internet')
  }
  return url
}

/**
 * All addresses of a target, each of them allowed. Callers have to connect to one of these and must not resolve again.
 * @throws TargetRefused when the name has no address, or one that is not public.
 */
export const addressesOf = async (url: URL, rules: TargetRules, signal: AbortSignal): Promise<string[]> => {
  const { allowLoopback, resolve = resolveByName } = rules
  const host = hostOf(url)
  if (allowLoopback && host === 'localhost') return ['127.0.0.1']
  const found = isIP(host) === 0 ? await resolve(host, signal) : [host]
  if (found.length === 0) throw new TargetRefused('cannot be resolved')
  const allowed = (address: string) => isPublicAddress(address) || (allowLoopback && isLoopbackAddress(address))
  if (!found.every(allowed)) throw new TargetRefused('must be a host of the public internet')
  return found
}
