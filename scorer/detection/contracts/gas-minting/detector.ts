/** Tokens that turn the gas of their callers into assets of their maker. */
import { convicted, defineDetector } from '../../detector.ts'
import { loadOwnContracts } from '../../shared/contracts/own-contracts.ts'
import { type GasAbuse, loadGasAbuse } from './gas-minting.ts'

/**
 * Judges makers of tokens; callers are the victims. It needs three callers who used three times the gas of an ordinary
 * call.
 */
export const gasMinting = defineDetector({
  id: 'gas-minting',
  version: 1,
  family: 'contracts',
  offence: 'Gas abuse',
  needs: ['token-events', 'gas-tokens', 'own-acts'],
  after: [],
  infrastructure: 'unknown',
  load: async (context) => loadGasAbuse(context, await context.once(loadOwnContracts)),
  judge: (found: GasAbuse[] | undefined) =>
    convicted(
      (found ?? []).map((abuse) => ({
        grade: 'maker',
        title: 'Created a token that spends the gas of its callers on minting other assets',
        evidence: { ...abuse },
      })),
    ),
  contracts: (found) => found.map(({ contract }) => ({ contract, label: 'gas_abuse' })),
  exclusions: [
    { who: 'Tokens that mint for their caller', why: 'The maker hands half of it on to the callers.' },
    { who: 'Expensive tokens', why: 'They mint nothing.' },
    { who: 'Callers', why: 'They are the victims.' },
  ],
  confidence: { maker: 0.95 },
  doc: {
    summary: 'Calls of a token mint gas tokens or XEN for its maker.',
    takes: [
      'Approvals or transfers by three callers at three times the usual gas.',
      'They minted CHI, GST or XEN to the maker or to a contract of the maker.',
    ],
    cannotSee: ['Proxies created at the cost of callers.'],
  },
})
