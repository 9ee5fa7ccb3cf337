/** Wash trading: wallets of one maker fake the trade of its token. */

import { amountOf } from '../../../ledger/prices/amounts.ts'
import { type LoadContext, listsOf } from '../../context.ts'
import { convicted, defineDetector, keepMatching } from '../../detector.ts'
import { counted, percent } from '../../wording.ts'
import { loadOwnPools } from '../pools/pools.ts'
import { loadWashMembers } from './members.ts'
import { loadWashTrading, MIN_ROUNDS, type Wash } from './wash-trading.ts'

type WashRole = { role: 'maker' | 'member'; wash: Wash }

const loadWashes = async (context: LoadContext): Promise<Map<string, WashRole[]>> => {
  const own = await context.once(loadOwnPools)
  const [makers, members] = await Promise.all([loadWashTrading(context, own.events), loadWashMembers(context)])
  return listsOf<WashRole>([
    ...makers.map(([address, wash]) => [address, { role: 'maker' as const, wash }] as const),
    ...[...members].flatMap(([address, washes]) =>
      washes.map((wash) => [address, { role: 'member' as const, wash }] as const),
    ),
  ])
}

/** Convicts the maker of the token and the wallets it funded, each with its own grade. */
export const washTrading = defineDetector({
  id: 'wash-trading',
  version: 1,
  family: 'markets',
  offence: 'Wash trading',
  needs: ['pool-events', 'own-acts', 'past-of-others'],
  after: [],
  infrastructure: 'unknown',
  load: loadWashes,
  // The first funders of the traders must be known.
  others: {
    concerns: ({ contracts_created, token_in_count, token_out_count }) =>
      contracts_created > 0 || Math.min(token_in_count, token_out_count) >= MIN_ROUNDS,
    parties: (washes) => washes.flatMap(({ wash }) => wash.traders),
    proven: (washes, known) => keepMatching(washes, ({ wash }) => wash.traders.every(known)),
  },
  judge: (washes: WashRole[] | undefined, { network }) =>
    convicted(
      (washes ?? []).map(({ role, wash }) => ({
        grade: role,
        title:
          role === 'maker'
            ? `Faked the trade of its token with ${counted(wash.traders.length, 'wallet')} that it funded: ${percent(wash.share)} of the volume`
            : `Faked the trade of a token for its creator, as one of ${counted(wash.traders.length, 'funded wallet')}`,
        evidence: { role, ...wash, volume: amountOf(network, wash.base, wash.volume) },
      })),
    ),
  exclusions: [
    { who: 'Market makers', why: 'They have money of their own: the token’s creator did not fund them.' },
    { who: 'Teams with real trade besides', why: 'They make less than 60 % of the volume.' },
    { who: 'Tests', why: 'They move less than $10,000.' },
  ],
  confidence: { maker: 0.9, member: 0.9 },
  doc: {
    summary: 'A few wallets that the token’s creator funded make most of its trading volume.',
    takes: [
      'Two to five wallets each bought and sold three times, and ended with the balance they began with.',
      'They make 60 % of the volume of a pool, and $10,000.',
      'Each is the creator, or got its first coins from the creator or from another of them.',
      'A member is flagged if the creator is its first funder, or the funder of that funder.',
    ],
    cannotSee: ['Wallets funded through an exchange or a mixer.', 'Groups of more than five wallets.'],
  },
})
