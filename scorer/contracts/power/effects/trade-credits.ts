/**
 * Tokens that trades and transfers create: besides seller and buyer, somebody else is credited with tokens that nobody loses.
 * The balances of all accounts that the code of transfers names are added up before and after a purchase, a sale and a
 * transfer.
 */
import type { Step, StepResult } from '../../chain/simulator/script.ts'
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import type { SimulationSetup } from '../../trade/simulation-setup.ts'
import { argumentWord, TRANSFERS } from '../calls/arguments.ts'
import { BALANCE_OF, TRANSFER } from '../calls/selectors.ts'
import type { Power } from '../power.ts'
import { balancePlaces } from '../sequences/places.ts'

/** Accounts that the code of transfers names, and insiders, whose balances are added up. */
const [MAX_NAMED, MAX_INSIDERS] = [8, 8]
/** Part of what is traded above which a difference is no rounding (1/n). */
const MATERIAL = 100n

/** Accounts whose balances transfers write, apart from the two parties. `unnamed`: also of accounts that cannot be read. */
const creditedBy = (functions: readonly FunctionFacts[], stored: ReadonlyMap<string, string>) => {
  const balances = balancePlaces(functions)
  const written = functions
    .filter(({ selector }) => TRANSFERS.has(selector))
    .flatMap(({ writtenEntries }) => writtenEntries.filter(({ base }) => balances.has(`map:${base}`)))
  const named = written.flatMap(({ account }) =>
    typeof account === 'object' ? (stored.get(`${account.slot}:${account.shift}`) ?? []) : (account ?? []),
  )
  const supply = [...balances].filter((place) => !place.startsWith('map:'))
  return {
    named: [...new Set(named)],
    unnamed: written.some(({ account, by }) => account === undefined && by === undefined),
    hasOthers:
      written.some(({ account, by }) => account !== undefined || by !== 'argument') ||
      functions.some(
        ({ selector, stores }) => TRANSFERS.has(selector) && stores.some((place) => supply.includes(place)),
      ),
  }
}

/** Steps that look at balances before and after trades, and what their results prove. */
export type CreditTrial = {
  /** Steps to run after the scene; none if transfers write no balances but those of both parties. */
  steps: Step[]
  /** Powers to create tokens by trades and transfers. `why`: why there may be one that the trades do not show. */
  judge: (results: readonly StepResult[]) => { powers: Power[]; why: string | undefined }
}

/** Prepares the trial. `stored`: addresses in the token's storage, by `slot:shift`. */
export const creditTrial = (
  { setup, director }: SimulationSetup,
  functions: readonly FunctionFacts[],
  stored: ReadonlyMap<string, string>,
  insiders: readonly string[],
): CreditTrial => {
  const { token, pool, kind, small, victim, bystander, buyer, receiver } = setup
  const { named, unnamed, hasOthers } = creditedBy(functions, stored)
  const why = unnamed ? 'a transfer writes the balance of an account that cannot be read' : undefined
  // What an account that cannot be read gains or loses is not seen.
  if (!hasOthers || unnamed) return { steps: [], judge: () => ({ powers: [], why }) }
  const parties = [victim, bystander, buyer, receiver, pool, director]
  const others = [token, ...named.slice(0, MAX_NAMED), ...insiders.slice(0, MAX_INSIDERS)]
  const accounts = [...new Set([...parties, ...others])]
  const look = accounts.map((who): Step => ({ op: 'read', target: token, data: `${BALANCE_OF}${argumentWord(who)}` }))
  const trades: Step[] = [
    ...(kind === 'none' ? [] : [{ op: 'buy', actor: buyer, amount: small } as const]),
    ...(kind === 'none' ? [] : [{ op: 'sell', actor: victim, amount: 1_000n } as const]),
    { op: 'move', actor: victim, target: receiver, amount: 1_000n },
  ]
  const width = accounts.length + 1
  return {
    steps: [...look, ...trades.flatMap((trade) => [trade, ...look])],
    judge: (results) => {
      const seenAt = (i: number) => results.slice(i * width, i * width + accounts.length)
      const [who] = trades.flatMap((trade, i) => {
        const seen = [...seenAt(i), ...seenAt(i + 1)]
        if (seen.length < 2 * accounts.length || seen.some(({ ok }) => ok !== true)) return []
        const words = seen.map(({ a }) => a)
        const [before, after] = [words.slice(0, accounts.length), words.slice(accounts.length)]
        return mostCredited(trade, results[(i + 1) * width - 1], accounts, before, after, setup) ?? []
      })
      if (who === undefined) return { powers: [], why }
      const call = { selector: TRANSFER, actor: who, data: TRANSFER, args: [], kinds: [], actorIsOrigin: false }
      const credited = { effect: 'mint', target: token, anyone: true, credits: who, tax: 0, singleUse: false } as const
      return { powers: [{ ...call, ...credited }], why }
    },
  }
}

/** The account that gains most where balances grow by more than all of them alike; `undefined` if they do not. */
const mostCredited = (
  trade: Step,
  traded: StepResult | undefined,
  accounts: readonly string[],
  before: readonly bigint[],
  after: readonly bigint[],
  setup: SimulationSetup['setup'],
): string | undefined => {
  if (traded?.ok !== true) return undefined
  const gains = new Map(accounts.map((who, i) => [who, (after[i] ?? 0n) - (before[i] ?? 0n)]))
  const gainOf = (who: string) => gains.get(who) ?? 0n
  // Of pools that keep their tokens elsewhere it is not seen what a purchase takes.
  if (trade.op === 'buy' && -gainOf(setup.pool) < gainOf(setup.buyer)) return undefined
  const sum = before.reduce((total, held) => total + held, 0n)
  const idle = before[accounts.indexOf(setup.bystander)] ?? 0n
  const scaled = idle > 0n ? (sum * gainOf(setup.bystander)) / idle : 0n
  const created = [...gains.values()].reduce((total, gain) => total + gain, 0n) - (scaled > 0n ? scaled : 0n)
  if (created * MATERIAL <= traded.a) return undefined
  const parties = new Set([setup.victim, setup.buyer, setup.receiver, setup.pool, setup.bystander])
  const [first, ...rest] = [...gains].filter(([who]) => !parties.has(who))
  return rest.reduce((most, one) => (most && most[1] >= one[1] ? most : one), first)?.[0]
}
