/** Layering: proceeds of crime are passed on at once. */
import { amountOf } from '../../../ledger/prices/amounts.ts'
import { convicted, defineDetector, suspected } from '../../detector.ts'
import { approvalDrain } from '../../theft/approval-drain/detector.ts'
import { confirmedProceeds } from '../../theft/approval-drain/proceeds.ts'
import { percent } from '../../wording.ts'
import { type Found, isConclusive, LINKS, loadLaundering } from './layering.ts'

/**
 * Convicts wallets that pass proceeds of crime on at once, but not mere receivers. Uses the results of `approval-drain`, because
 * what a drainer took is proceeds too.
 */
export const layering = defineDetector({
  id: 'layering',
  version: 3,
  family: 'laundering',
  offence: 'Layering',
  needs: ['token-events', 'labels', 'own-receipts', 'own-flows', 'past-of-others'],
  after: [approvalDrain],
  infrastructure: 'unknown',
  load: async (context, results) => {
    const [contacts, drains] = await Promise.all([context.contacts, results.of(approvalDrain)])
    return loadLaundering(context, contacts, confirmedProceeds(drains))
  },
  others: LINKS,
  judge: (found: Found | undefined, { network }) => {
    if (!found) return convicted([])
    const { livesOnProceeds: _, ...laundering } = found
    const exits = laundering.exits.map((exit) => ({
      ...exit,
      amount: amountOf(network, exit.asset, exit.amount),
      time: new Date(exit.time * 1_000).toISOString(),
    }))
    const arrivals = laundering.arrivals.map((one) => ({ ...one, amount: amountOf(network, one.asset, one.amount) }))
    const part = `proceeds of crime, which made up ${percent(laundering.share)} of its inflow of the asset`
    const evidence = { ...laundering, arrivals, exits }
    return isConclusive(found)
      ? convicted([{ grade: 'launderer', title: `Laundered ${part}`, evidence }])
      : suspected([{ grade: 'crossing', title: `Moved to another network at once ${part}`, evidence }])
  },
  exclusions: [
    { who: 'Receivers who spend', why: 'Receiving money is not an act of the wallet.' },
    {
      who: 'Payees that move their pay to another network',
      why: 'Over a bridge it takes $10,000 or 90 % of all that came in. Less is only suspected.',
    },
    { who: 'Victims who are paid back', why: 'They get back their own money.' },
    { who: 'Deposit addresses at the end of a chain', why: 'The second to last account of a chain is never a link.' },
    { who: 'Receivers of dust', why: 'It takes $1,000 and half of the inflow of the asset.' },
  ],
  confidence: { launderer: 0.92, crossing: 0.5 },
  doc: {
    summary: 'The wallet passed on proceeds of theft, phishing, blackmail or sanctioned addresses at once.',
    takes: [
      '$1,000 of such proceeds make up half of the inflow of the native coin or a dollar coin.',
      'For a thief, proceeds are what came from its victims and what it sold since.',
      'The wallet itself sent them into a mixer within a day, or ten times at any time.',
      'Or 90 % of a payment went over a bridge within an hour, and proceeds are $10,000 or 90 % of all that came in. The last condition does not apply to a thief and the links below it.',
      'Or 90 % was passed on three times, within an hour each, through addresses younger than seven days.',
      'Wrapped coins count as coins, even if somebody else wraps or unwraps them on the way.',
      'Links of such a chain are found by following funders up to a wallet that its own drains convict.',
    ],
    cannotSee: [
      'Proceeds that are swapped on the way.',
      'Links further down a chain that were paid wrapped coins, because they have no funder to follow.',
      'Assets other than the native coin and dollar coins.',
      'The difference between a thief’s wallet and a one-time address of a service that takes it over a bridge for a customer.',
    ],
  },
})
