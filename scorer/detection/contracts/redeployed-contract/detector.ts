/** Contracts that were redeployed with other code. */
import { convicted, defineDetector } from '../../detector.ts'
import { loadOwnContracts } from '../../shared/contracts/own-contracts.ts'
import { loadRedeployed, type Redeployed } from './redeployed.ts'

/** Judges makers and the contract itself. Both versions of the code must be visible. */
export const redeployedContract = defineDetector({
  id: 'redeployed-contract',
  version: 1,
  family: 'contracts',
  offence: 'Redeployed contract',
  needs: ['self-destructs', 'contract-code', 'own-acts', 'past-of-others'],
  after: [],
  infrastructure: 'unknown',
  load: async (context) => loadRedeployed(context, await context.once(loadOwnContracts)),
  // A contract may have been destroyed before the creation that was seen.
  others: {
    concerns: ({ created, contracts_created }) => created + contracts_created > 0,
    parties: () => [],
    proven: (found) => found,
  },
  judge: (found: Redeployed[] | undefined) =>
    convicted(
      (found ?? []).map(({ time, ...redeployed }) => ({
        grade: 'maker',
        title: 'Replaced the code of a contract by destroying it and deploying other code at the same address',
        evidence: { ...redeployed, time: new Date(time * 1_000).toISOString() },
      })),
    ),
  exclusions: [
    { who: 'The same code again', why: 'Nothing changed for its users.' },
    { who: 'Proxies', why: 'They are not destroyed.' },
    {
      who: 'Self-destructs since Cancun',
      why: 'The code stays, unless the contract was created in the same transaction.',
    },
  ],
  confidence: { maker: 0.95 },
  doc: {
    summary: 'A contract was destroyed and created again at its address with different code.',
    takes: ['The contract was created, destroyed, and created again with different visible code.'],
    cannotSee: [
      'Redeployments on networks whose nodes show no self-destructs.',
      'Contracts whose code was not visible.',
    ],
  },
})
