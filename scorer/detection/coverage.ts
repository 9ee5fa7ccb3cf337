/** The coverage that detectors need, and the networks that provide it. */
import { type Capability, networksWith } from '../../schema/networks/capabilities.ts'
import type { Network } from '../../schema/networks.ts'
import type { AuthorityList } from '../../schema/registry/authorities.ts'
import type { Past } from '../ledger/past/past.ts'

/** How much of a wallet's past a detector needs, and which answers it may not give without it. */
export type PastNeeded = {
  /**
   * The minimum: `account` means it is known that the address is not a contract, `fresh` that everything the wallet signed is
   * known, `whole` that everything it received is known too.
   */
  known: 'account' | Exclude<Past['kind'], 'unknown'>
  bars: ReadonlyArray<'clear' | 'convicted'>
}

type Coverage = {
  /** Text for the documentation. */
  what: string
  /** Capabilities that a network must have. */
  capabilities: readonly Capability[]
  /** Authorities whose complete logs must be known. Without them the answer is never `clear`. */
  log?: AuthorityList
  past?: PastNeeded
}

/**
 * The needs that detectors declare. If a network lacks a capability, or a log or part of the past is missing, the answer is
 * `unknown`.
 */
export const COVERAGE = {
  'token-events': { what: 'transfers, approvals and creations of contracts', capabilities: ['contract-events'] },
  'pool-events': { what: 'liquidity and swaps of pools', capabilities: ['contract-events'] },
  'token-movements': { what: 'movements and deployments of tokens', capabilities: ['token-movements'] },
  'token-names': { what: 'names of tokens (`ASSAY_TOKEN_METADATA`)', capabilities: ['token-movements'] },
  'internal-payments': { what: 'traces of the blocks, which show payments inside calls', capabilities: [] },
  'self-destructs': { what: 'traces that show self-destructs', capabilities: ['self-destructs'] },
  'contract-code': { what: 'the code of contracts when they are created', capabilities: ['contract-code'] },
  delegations: { what: 'EIP-7702 authorizations', capabilities: ['delegated-code'] },
  permissions: { what: 'changes of account permissions', capabilities: ['account-permissions'] },
  messages: { what: 'text in calldata or in the comment of a transfer', capabilities: ['messages'] },
  'mixer-registry': { what: 'known pools of mixers', capabilities: ['mixers'] },
  'mixer-log': { what: 'the complete logs of those pools', capabilities: ['mixers'], log: 'mixer' },
  'dollar-coins': { what: 'known dollar stablecoins', capabilities: ['dollar-coins'] },
  'gas-tokens': { what: 'known gas tokens', capabilities: ['gas-tokens'] },
  'whole-life': { what: 'every final block since the contract was created', capabilities: [] },
  'sanctions-log': {
    what: 'the complete logs of the sanctions oracles, on all networks with the same keys',
    capabilities: ['ethereum-keys'],
    log: 'sanctions',
  },
  'freeze-log': {
    what: 'the complete logs of the issuers, on all networks with the same keys',
    capabilities: ['ethereum-keys'],
    log: 'freeze',
  },
  labels: { what: 'loaded labels', capabilities: [] },
  'own-kind': {
    what: 'whether the wallet is a contract; without a transaction that it signed, a finding is reported as unknown',
    capabilities: [],
    past: { known: 'account', bars: ['convicted'] },
  },
  'own-acts': {
    what: 'all transactions that the wallet signed; without them the result is never clear',
    capabilities: [],
    past: { known: 'fresh', bars: ['clear'] },
  },
  'own-habits': {
    what: 'all transactions that the wallet signed; without them the result is unknown',
    capabilities: [],
    past: { known: 'fresh', bars: ['clear', 'convicted'] },
  },
  'own-receipts': {
    what: 'everything that the wallet ever received; without it the result is never clear',
    capabilities: [],
    past: { known: 'whole', bars: ['clear'] },
  },
  'own-flows': {
    what: 'everything that the wallet ever moved; without it a finding is reported as unknown',
    capabilities: [],
    past: { known: 'whole', bars: ['convicted'] },
  },
  'past-of-others': {
    what: 'all transactions that the counterparties signed; counterparties with an unknown history do not count',
    capabilities: [],
  },
} as const satisfies Record<string, Coverage>

/** A kind of coverage that a detector needs. */
export type Need = keyof typeof COVERAGE

/** Caches one property of the needs per list: every detector asks for it for every wallet. */
const readOnce = <Part>(partOf: (coverage: Coverage) => Part | undefined) => {
  const known = new WeakMap<readonly Need[], Part[]>()
  return (needs: readonly Need[]): readonly Part[] => {
    const parts = known.get(needs) ?? needs.flatMap((need) => partOf(COVERAGE[need]) ?? [])
    known.set(needs, parts)
    return parts
  }
}

/** Authorities whose complete logs a detector needs. */
export const logsNeeded = readOnce(({ log }) => log)

/** How much of a wallet's past a detector needs. */
export const pastsNeeded = readOnce(({ past }) => past)

/** Networks that have every capability the needs require, in table order. */
export const networksFor = (needs: readonly Need[]): Network[] =>
  networksWith(...needs.flatMap((need): readonly Capability[] => COVERAGE[need].capabilities))
