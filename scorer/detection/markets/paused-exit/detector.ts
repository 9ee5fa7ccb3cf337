/** Exits by the creator while a pause of the token locks holders in. */
import { readSql } from '../../../../platform/store/sql.ts'
import { amountOf } from '../../../ledger/prices/amounts.ts'
import { inPieces, type LoadContext, listsOf } from '../../context.ts'
import { convicted, defineDetector } from '../../detector.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'
import { counted, percent } from '../../wording.ts'
import { isMeasured, loadOwnPools, otherMarketsOf } from '../pools/pools.ts'
import { movedOn, unrefunded } from '../rug-executed/exclusions.ts'
import { LEAST_PROFIT_USD } from '../rug-executed/rug.ts'
import { findPausedExit, mayBePausedExit, type Pause, type PausedExit } from './paused-exit.ts'

const PAUSES = readSql(import.meta.url, './pauses.sql')

const loadPausedExits = async (context: LoadContext): Promise<Map<string, PausedExit[]>> => {
  const { store, network, now } = context
  const own = await context.once(loadOwnPools)
  const dollar = usdThresholds(network, 1)
  const possible = [...own.events].filter(
    ([pool, events]) =>
      mayBePausedExit(pool, events, LEAST_PROFIT_USD * (dollar.get(pool.base) ?? 0)) && isMeasured(pool, own),
  )
  if (possible.length === 0) return new Map()
  const pauses = await inPieces(
    possible.map(([{ token }]) => token),
    (tokens) => store.query<Pause>(PAUSES, { network, tokens }, { route: 'token_pauses' }),
  )
  const suspects = possible.flatMap(([pool, events]) => {
    const ofToken = pauses.filter(({ token }) => token === pool.token)
    const elsewhere = otherMarketsOf(pool, own).flatMap((market) => market.events)
    const exit = findPausedExit(pool, events, ofToken, elsewhere, now)
    if (!exit) return []
    // A migration may go into a pool of a new token, so any pool of the creator counts.
    const others = [...own.events].flatMap(([one, its]) =>
      one.address === pool.address && one.pool !== pool.pool ? [{ base: one.base, events: its }] : [],
    )
    return movedOn(exit, pool.address, others, dollar) ? [] : [{ pool, rug: exit }]
  })
  return listsOf(await unrefunded(context, suspects, own.events))
}

/** Convicts creators who paused their token and took the base out. Pauses that were lifted or are younger than 14 days prove nothing. */
export const pausedExit = defineDetector({
  id: 'paused-exit',
  version: 2,
  family: 'markets',
  offence: 'Exit while holders are locked in',
  needs: ['pool-events', 'own-acts'],
  after: [],
  infrastructure: 'unknown',
  load: loadPausedExits,
  judge: (exits: PausedExit[] | undefined, { network }) =>
    convicted(
      (exits ?? []).map(({ time, pausedAt, ...exit }) => ({
        grade: 'creator',
        title: `Paused its token and took ${percent(exit.share)} of the pool's reserve while ${counted(exit.buyers, 'buyer')} could not sell`,
        evidence: {
          ...exit,
          taken: amountOf(network, exit.base, exit.taken),
          profit: amountOf(network, exit.base, exit.profit),
          pausedAt: new Date(pausedAt * 1_000).toISOString(),
        },
      })),
    ),
  contracts: (exits) => exits.map(({ token }) => ({ contract: token, label: 'rug_executed' })),
  exclusions: [
    { who: 'Teams that pause after an incident', why: 'They resume, or less than 14 days have passed.' },
    { who: 'Teams that pause and withdraw nothing', why: 'The base stays in the pool.' },
    { who: 'Migrations to a new token', why: 'The base goes into another pool of the creator within a day.' },
    {
      who: 'Creators who close down properly',
      why: 'They paid half of the profit to half of the buyers within a week.',
    },
    { who: 'Creators of tokens that others paused', why: 'The creator did not sign the pause.' },
  ],
  confidence: { creator: 0.95 },
  doc: {
    summary: 'The creator paused a token for good, and took the base coin out of its pool.',
    takes: [
      'There were five outside buyers before the pause, and the creator signed the pause.',
      'From a day before the pause on, the creator took half of the base reserve, and $100 more of the base coin than it ever put in.',
      'The pause has lasted 14 days, and no outsider has sold in any pool of the token since.',
      'Resuming for a while in which no outsider sells does not end the pause.',
    ],
    cannotSee: [
      'Pauses without the standard events `Paused` and `Pause`.',
      'Pauses or exits signed by another wallet than the creator.',
      'Pools of V4 and of Infinity’s ranges, whose events do not state what lies in them, and pools of more than two tokens.',
    ],
  },
})
