/** What detectors need to see, and on which networks it can be seen at all. */
import { type Capability, networksWith } from '../../schema/networks/capabilities.ts'
import type { Network } from '../../schema/networks.ts'
import type { AuthorityList } from '../../schema/registry/authorities.ts'

type Coverage = {
  /** For the documentation. */
  what: string
  /** What a network has to offer for it. */
  capabilities: readonly Capability[]
  /** Authorities whose whole logs have to be known: without them a wallet is not called clear. */
  log?: AuthorityList
}

export const COVERAGE = {
  'token-events': { what: 'transfers, approvals and creations of contracts', capabilities: ['contract-events'] },
  'pool-events': { what: 'liquidity and swaps of pools', capabilities: ['contract-events'] },
  'token-movements': { what: 'movements and deployments of tokens', capabilities: ['token-movements'] },
  'token-names': { what: 'names of tokens (`ASSAY_TOKEN_METADATA`)', capabilities: ['token-movements'] },
  'internal-payments': { what: 'traces of the blocks concerned, which show payments inside calls', capabilities: [] },
  'self-destructs': { what: 'traces that show self-destructs', capabilities: ['self-destructs'] },
  'contract-code': { what: 'the code of contracts when they are created', capabilities: ['contract-code'] },
  delegations: { what: 'EIP-7702 authorizations', capabilities: ['delegated-code'] },
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
} as const satisfies Record<string, Coverage>

/** A kind of coverage without which a detector cannot speak. */
export type Need = keyof typeof COVERAGE

/** Authorities whose whole logs a detector needs. */
export const logsNeeded = (needs: readonly Need[]): AuthorityList[] =>
  needs.flatMap((need) => {
    const { log }: Coverage = COVERAGE[need]
    return log ?? []
  })

/** Networks that can offer everything in the list, in table order. */
export const networksFor = (needs: readonly Need[]): Network[] =>
  networksWith(...needs.flatMap((need): readonly Capability[] => COVERAGE[need].capabilities))
