/** What a key is held to beyond its tier: operations, networks, addresses it may be used from. Empty lists restrict nothing. */
import { BlockList, isIP } from 'node:net'
import type { Operation } from '../../schema/networks.ts'
import { OPERATIONS } from '../../schema/records/operations.ts'
import { type Answer, type ErrorName, errorAnswer } from '../answers/answer.ts'
import type { Caller } from './caller.ts'

/** What a key is held to. */
export type Restrictions = {
  /** Operations it may run. Names that this version does not know allow nothing. */
  operations: readonly string[]
  networks: readonly string[]
  /** Addresses and CIDR ranges it may be used from. */
  sources: readonly string[]
}

/** A key that is held to its tier alone. */
export const UNRESTRICTED: Restrictions = { operations: [], networks: [], sources: [] }

const RANGE = /^([0-9a-f:.]+)(?:\/(\d{1,3}))?$/i
const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** Whether a text is an address or a CIDR range. */
export const isSource = (text: string): boolean => {
  const [, address = '', bits] = RANGE.exec(text) ?? []
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  return most > 0 && Number(bits ?? most) <= most
}

/** Addresses a key may be used from; `undefined` when from anywhere. A range that cannot be read allows nobody. */
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

/** Whether an address is among those. */
export const allows = (sources: BlockList | undefined, ip: string): boolean => {
  if (!sources) return true
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '')
  return isIP(address) !== 0 && sources.check(address, familyOf(address))
}

const refusal = (error: ErrorName, message: string, field: string, reason: string) =>
  errorAnswer(error, message, [{ field, reason }])

/** The answer to a key that comes from another address than it may. */
export const SOURCE_REFUSED = refusal(
  'SOURCE_NOT_ALLOWED',
  'The key must not be used from this address.',
  'x-api-key',
  'may be used from other addresses only',
)

/** Why a caller may not run an operation at all; `undefined` when it may. */
export const operationRefused = ({ tier, operations }: Caller, operation: Operation): Answer | undefined => {
  const { path, tiers } = OPERATIONS[operation]
  if (!tiers.includes(tier)) return errorAnswer('TIER_NOT_COVERED', `The ${tier} tier does not cover ${path}.`)
  if (!operations || operations.has(operation)) return undefined
  return refusal(
    'OPERATION_NOT_ALLOWED',
    `The key must not be used for ${path}.`,
    'x-api-key',
    'allows other operations',
  )
}

/** Why a caller may not ask about a network; `undefined` when it may. */
export const networkRefused = ({ networks }: Caller, network: string): Answer | undefined =>
  !networks || networks.has(network)
    ? undefined
    : refusal(
        'NETWORK_NOT_ALLOWED',
        `The key must not be used for ${network}.`,
        'network',
        'is not allowed for this key',
      )
