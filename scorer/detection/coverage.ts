/** What detectors need to see, and on which networks it can be seen at all. */
import { type Capability, networksWith } from '../../schema/networks/capabilities.ts'
import type { Network } from '../../schema/networks.ts'

type Coverage = {
  /** For the documentation. */
  what: string
  /** What a network has to offer for it. */
  capabilities: readonly Capability[]
}

export const COVERAGE = {
  'token-events': { what: 'transfers, approvals and creations of contracts', capabilities: ['contract-events'] },
  'pool-events': { what: 'liquidity and swaps of pools', capabilities: ['contract-events'] },
  'token-names': { what: 'names of tokens (`ASSAY_TOKEN_METADATA`)', capabilities: ['contract-events'] },
  'internal-payments': { what: 'traces of the blocks concerned, which show payments inside calls', capabilities: [] },
  'self-destructs': { what: 'traces that show self-destructs', capabilities: ['self-destructs'] },
  'contract-code': { what: 'the code of contracts when they are created', capabilities: ['contract-code'] },
  delegations: { what: 'EIP-7702 authorizations', capabilities: ['delegated-code'] },
  messages: { what: 'text in calldata, or beside a transfer', capabilities: ['messages'] },
  'mixer-registry': { what: 'known pools of mixers', capabilities: ['mixers'] },
  'dollar-coins': { what: 'known dollar coins', capabilities: ['dollar-coins'] },
  'gas-tokens': { what: 'known gas tokens', capabilities: ['gas-tokens'] },
  'whole-life': { what: 'every final block since the contract was created', capabilities: [] },
  'authority-log': {
    what: 'the whole log of the authority, on any network with the same keys',
    capabilities: ['ethereum-keys'],
  },
  labels: { what: 'loaded labels', capabilities: [] },
} as const satisfies Record<string, Coverage>

/** A kind of coverage without which a detector cannot speak. */
export type Need = keyof typeof COVERAGE

/** Networks that can offer everything in the list, in table order. */
export const networksFor = (needs: readonly Need[]): Network[] =>
  networksWith(...needs.flatMap((need): readonly Capability[] => COVERAGE[need].capabilities))
