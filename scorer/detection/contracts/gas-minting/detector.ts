/** Tokens that turn the gas of their callers into assets of their maker. */
import { convicted, defineDetector, suspected } from '../../detector.ts'
import { loadOwnContracts } from '../../shared/contracts/own-contracts.ts'
import { type GasAbuse, loadGasAbuse } from './gas-minting.ts'

/** Judges makers of tokens; callers are the victims. Requires three callers with three times the gas of an ordinary call. */
export const gasMinting = defineDetector({
  id: 'gas-minting',
  version: 2,
  family: 'contracts',
  offence: 'Gas abuse',
  needs: ['token-events', 'gas-tokens', 'own-acts'],
  after: [],
  infrastructure: 'unknown',
  load: async (context) => loadGasAbuse(context, await context.once(loadOwnContracts)),
  judge: (found: GasAbuse[] = []) => {
    const proven = found.filter(({ widespread }) => widespread)
    const proofs = (proven.length > 0 ? proven : found).map(({ widespread, ...evidence }) => ({
      grade: widespread ? ('maker' as const) : ('few' as const),
      title: 'Created a token that spends the gas of its callers on minting other assets',
      evidence,
    }))
    return proven.length > 0 ? convicted(proofs) : suspected(proofs)
  },
  contracts: (found) =>
    found.filter(({ widespread }) => widespread).map(({ contract }) => ({ contract, label: 'gas_abuse' })),
  exclusions: [
    { who: 'Tokens that mint for their caller', why: 'The creator passes at least half of it on to the callers.' },
    { who: 'Expensive tokens', why: 'They mint nothing.' },
    { who: 'Callers', why: 'They are the victims.' },
    {
      who: 'Tokens with hooks',
      why: 'If contracts of a few receivers mint to the creator, only a small share of the callers is affected.',
    },
  ],
  confidence: { maker: 0.95, few: 0.5 },
  doc: {
    summary: 'Calls of a token mint gas tokens or XEN for its creator, at the cost of the callers.',
    takes: [
      'Three callers, and a quarter of all callers, paid three times the usual gas for approvals or transfers.',
      'Their transactions minted CHI, GST or XEN to the creator, or to a contract of the creator.',
    ],
    cannotSee: ['Creation of proxies at the cost of callers.'],
  },
})
