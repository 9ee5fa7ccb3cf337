/** Address poisoning: look-alike addresses put into a victim's history. */
import { amountOf } from '../../../ledger/prices/amounts.ts'
import { convicted, defineDetector, keepMatching } from '../../detector.ts'
import { loadOwnContracts } from '../../shared/contracts/own-contracts.ts'
import { counted } from '../../wording.ts'
import { loadPoisoning, type Poisonings } from './poisoning.ts'
import type { Poisoning } from './suspicion.ts'

const TITLES: Readonly<Record<Poisoning['role'], (wallets: string) => string>> = {
  lookalike: (wallets) => `Appeared in the history of ${wallets} as a look-alike of an address they had paid`,
  sender: (wallets) => `Signed transfers that put look-alike addresses into the history of ${wallets}`,
  supplier: (wallets) => `Funded look-alike addresses that were put into the history of ${wallets}`,
  'token-maker': (wallets) => `Created a token used to put look-alike addresses into the history of ${wallets}`,
}

const NONE: Poisonings = { found: [], open: undefined }
const WHY: Readonly<Record<NonNullable<Poisonings['open']>, string>> = {
  overlooked: 'too many movements in its name to determine which of them put a look-alike into a history',
  carried:
    'transactions that it signed put look-alikes into histories, but they are a small part of what it signs and may be the work of others',
}

/**
 * Convicts look-alikes, senders and suppliers of the transfers, and makers of the counterfeits; never the imitated address or the
 * victim.
 */
export const addressPoisoning = defineDetector({
  id: 'address-poisoning',
  version: 3,
  family: 'deceit',
  offence: 'Address poisoning',
  needs: ['token-events', 'own-receipts', 'past-of-others'],
  after: [],
  infrastructure: 'exempt',
  load: async (context) => loadPoisoning(context, await context.once(loadOwnContracts)),
  // The past of victims does not matter. An address that is older than it seems imitates nobody, and may have funded others.
  others: {
    concerns: () => true,
    parties: () => [],
    proven: (poisonings, known, address) => {
      const { found, open } = poisonings
      const holding = keepMatching(found, ({ role }) => role === 'sender' || role === 'token-maker' || known(address))
      if (holding === found) return poisonings
      return holding || open ? { found: holding ?? [], open } : undefined
    },
  },
  judge: ({ found, open }: Poisonings = NONE, { network }) => {
    if (found.length === 0 && open) return { kind: 'unknown', why: WHY[open], uncovered: true }
    return convicted(
      found.map(({ role, pairs }) => {
        const victims = new Set(pairs.map(({ victim }) => victim)).size
        return {
          grade: role,
          title: TITLES[role](counted(victims, 'wallet')),
          evidence: {
            role,
            victims,
            pairs: pairs
              .slice(0, 10)
              .map((pair) => ({ ...pair, amount: amountOf(network, pair.asset, BigInt(pair.amount)) })),
          },
        }
      }),
    )
  },
  exclusions: [
    { who: 'Victims and imitated addresses', why: 'They did nothing.' },
    { who: 'Callers of a poisoning contract', why: 'One call of a contract that others created is not enough.' },
    { who: 'Callers of a token with false events', why: 'Events about others are claims of the token’s creator.' },
    { who: 'Bundlers, relayers and facilitators', why: 'They send what others signed, and most of it poisons nobody.' },
    { who: 'Searchers', why: 'Tokens that their contracts buy cause only a small part of what they sign.' },
    { who: 'Faucets', why: 'Their addresses resemble nobody.' },
    { who: 'Vanity addresses', why: 'Runs of four or more equal digits do not count.' },
    { who: 'A second address of the same owner', why: 'The imitated address has paid it.' },
    { who: 'Services that welcome users with coins and cents', why: 'They fund other addresses too.' },
    { who: 'Addresses older than the imitated one', why: 'The other address may be the imitation.' },
  ],
  // A random pair matches once in 33 million, so one pair convicts (semantics 2.3.2).
  confidence: { lookalike: 0.95, sender: 0.97, supplier: 0.95, 'token-maker': 0.95 },
  doc: {
    summary: 'Put an address into the history of a victim that looks like one the victim pays.',
    takes: [
      'Before any real dealing between the two, a transfer of nothing, of dust or of a counterfeit token was recorded, which the victim did not sign.',
      'A real dealing is one that the victim signed, or more than dust of a known coin. Transactions that third parties sign do not count.',
      'Dust is less than $10 of a dollar coin, or a few dollars of the native coin.',
      'The address shares 7 leading and trailing hex digits (TRON: 6 characters) with someone the victim had paid before.',
      'The look-alike was first seen after the imitated address, or after the victim paid the imitated address.',
      'Sender: moved the token itself; or called a contract of its own, or any contract three times, in a quarter of what it signed.',
      'Supplier: sent two look-alikes, and half of all addresses that it funded first, both their first coins and their dust.',
      'Token maker: created the counterfeit token of these transfers.',
    ],
    cannotSee: [
      'Suppliers who use a new account for each look-alike, or a contract.',
      'Accounts that only carry such dust for others.',
      'Look-alikes on TON and Solana.',
      'Look-alikes that sent their victim more than dust before; this costs $10 a victim.',
      'Addresses with more than 500 such movements in their name: the result is unknown, not clear.',
    ],
  },
})
