/** What detectors need to see, and on which networks it can be seen at all. */
import { type Capability, networksWith } from '../../schema/networks/capabilities.ts'
import type { Network } from '../../schema/networks.ts'
import type { AuthorityList } from '../../schema/registry/authorities.ts'
import type { Past } from '../ledger/past/past.ts'

/** How much of a wallet's past has to be known, and what cannot be said of it otherwise. */
export type PastNeeded = {
  /**
   * The least that will do: `account` where it has to be known for no contract, `fresh` for what it signed, `whole` for what
   * others sent it too.
   */
  known: 'account' | Exclude<Past['kind'], 'unknown'>
  bars: ReadonlyArray<'clear' | 'convicted'>
}

type Coverage = {
  /** For the documentation. */
  what: string
  /** What a network has to offer for it. */
  capabilities: readonly Capability[]
  /** Authorities whose whole logs have to be known: without them a wallet is not called clear. */
  log?: AuthorityList
  past?: PastNeeded
}

/**
 * The needs that detectors declare. Where a network lacks a capability of one, or its log or a past is missing, the
 * detector answers unknown with `what` in the reason.
 */
export const COVERAGE = {
  'token-events': { what: 'transfers, approvals and creations of contracts', capabilities: ['contract-events'] },
  'pool-events': { what: 'liquidity and swaps of pools', capabilities: ['contract-events'] },
  'token-movements': { what: 'movements and deployments of tokens', capabilities: ['token-movements'] },
  'token-names': { what: 'names of tokens (`ASSAY_TOKEN_METADATA`)', capabilities: ['token-movements'] },
  'internal-payments': { what: 'traces of the blocks concerned, which show payments inside calls', capabilities: [] },
  'self-destructs': { what: 'traces that show self-destructs', capabilities: ['self-destructs'] },
  'contract-code': { what: 'the code of contracts when they are created', capabilities: ['contract-code'] },
  delegations: { what: 'EIP-7702 authorizations', capabilities: ['delegated-code'] },
  permissions: { what: 'updates of who may act for an account', capabilities: ['account-permissions'] },
  messages: { what: 'text in calldata, or beside a transfer', capabilities: ['messages'] },
  'mixer-registry': { what: 'known pools of mixers', capabilities: ['mixers'] },
  'mixer-log': { what: 'the whole logs of those pools', capabilities: ['mixers'], log: 'mixer' },
  'dollar-coins': { what: 'known dollar coins', capabilities: ['dollar-coins'] },
  'gas-tokens': { what: 'known gas tokens', capabilities: ['gas-tokens'] },
  'whole-life': { what: 'every final block since the contract was created', capabilities: [] },
  'sanctions-log': {
    what: 'the whole logs of the sanctions oracles, on any network with the same keys',
    capabilities: ['ethereum-keys'],
    log: 'sanctions',
  },
  'freeze-log': {
    what: 'the whole logs of the issuers, on any network with the same keys',
    capabilities: ['ethereum-keys'],
    log: 'freeze',
  },
  labels: { what: 'loaded labels', capabilities: [] },
  'own-kind': {
    what: 'that the wallet is no contract: it signed something, or it is not convicted',
    capabilities: [],
    past: { known: 'account', bars: ['convicted'] },
  },
  'own-acts': {
    what: 'everything the wallet signed: otherwise it is not called clear',
    capabilities: [],
    past: { known: 'fresh', bars: ['clear'] },
  },
  'own-habits': {
    what: 'everything the wallet signed: otherwise it is neither convicted nor called clear',
    capabilities: [],
    past: { known: 'fresh', bars: ['clear', 'convicted'] },
  },
  'own-receipts': {
    what: 'everything the wallet ever received: otherwise it is not called clear',
    capabilities: [],
    past: { known: 'whole', bars: ['clear'] },
  },
  'own-flows': {
    what: 'everything the wallet ever moved: otherwise it is not convicted',
    capabilities: [],
    past: { known: 'whole', bars: ['convicted'] },
  },
  'past-of-others': {
    what: 'everything that the other parties signed: those of whom it is not known do not convict',
    capabilities: [],
  },
} as const satisfies Record<string, Coverage>

/** A kind of coverage without which a detector cannot speak. */
export type Need = keyof typeof COVERAGE

/** Reads a part of what each of some needs is, once for each list of them: it is asked of every detector for every wallet. */
const readOnce = <Part>(partOf: (coverage: Coverage) => Part | undefined) => {
  const known = new WeakMap<readonly Need[], Part[]>()
  return (needs: readonly Need[]): readonly Part[] => {
    const parts = known.get(needs) ?? needs.flatMap((need) => partOf(COVERAGE[need]) ?? [])
    known.set(needs, parts)
    return parts
  }
}

/** Authorities whose whole logs a detector needs. */
export const logsNeeded = readOnce(({ log }) => log)

/** How much of a wallet's past a detector needs. */
export const pastsNeeded = readOnce(({ past }) => past)

/** Networks that can offer everything in the list, in table order. */
export const networksFor = (needs: readonly Need[]): Network[] =>
  networksWith(...needs.flatMap((need): readonly Capability[] => COVERAGE[need].capabilities))
