/** Restrictions of a key beyond its tier: operations, networks, source addresses. Empty lists restrict nothing. */
import { BlockList, isIP } from 'node:net'
import type { Operation } from '../../schema/networks.ts'
import { OPERATIONS } from '../../schema/records/operations.ts'
import { type Answer, type ErrorName, errorAnswer } from '../answers/answer.ts'
import type { Caller } from './caller.ts'

/** Restrictions of a key. */
export type Restrictions = {
  /** Allowed operations. Names unknown to this version allow nothing. */
  operations: readonly string[]
  networks: readonly string[]
  /** IP addresses and CIDR ranges from which the key may be used. */
  sources: readonly string[]
}

/** A key without restrictions. */
export const UNRESTRICTED: Restrictions = { operations: [], networks: [], sources: [] }

const RANGE = /^([0-9a-f:.]+)(?:\/(\d{1,3}))?$/i
const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whether a text is an IP address or a CIDR range. */
export const isSource = (text: string): boolean => {
  const [, address = '', bits] = RANGE.exec(text) ?? []
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return most > 0 && Number(bits ?? most) <= most
}

/** Allowed source addresses of a key; `undefined` if unrestricted. An invalid range allows no address. */
export const sourcesOf = (sources: readonly string[]): BlockList | undefined => {
  if (sources.length === 0) return undefined
  const list = new BlockList()
  for (const source of sources.filter(isSource)) {
    const [address = '', bits] = source.split('/')
    if (bits === undefined) list.addAddress(address, familyOf(address))
    else list.addSubnet(address, Number(bits), familyOf(address))
  }
  return list
}

/** Whether an address is allowed. */
export const allows = (sources: BlockList | undefined, ip: string): boolean => {
  if (!sources) return true
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(address) !== 0 && sources.check(address, familyOf(address))
}

const refusal = (error: ErrorName, message: string, field: string, reason: string) =>
  errorAnswer(error, message, [{ field, reason }])

/** The answer to a key used from an address that it does not allow. */
export const SOURCE_REFUSED = refusal(
  'SOURCE_NOT_ALLOWED',
  'The key may not be used from this IP address.',
  'x-api-key',
  'does not allow this IP address',
)

/** The refusal for an operation that the caller may not run. */
export const operationRefused = ({ tier, operations }: Caller, operation: Operation): Answer | undefined => {
  const { path, tiers } = OPERATIONS[operation]
  if (!tiers.includes(tier)) return errorAnswer('TIER_NOT_COVERED', `The ${tier} tier does not cover ${path}.`)
  if (!operations || operations.has(operation)) return undefined
  return refusal(
    'OPERATION_NOT_ALLOWED',
    `The key may not be used for ${path}.`,
    'x-api-key',
    'does not allow this operation',
  )
}

/** The refusal for a network that the caller may not use. */
export const networkRefused = ({ networks }: Caller, network: string): Answer | undefined =>
  !networks || networks.has(network)
    ? undefined
    : refusal(
        'NETWORK_NOT_ALLOWED',
        `The key may not be used for ${network}.`,
        'network',
        'is not allowed for this key',
      )
