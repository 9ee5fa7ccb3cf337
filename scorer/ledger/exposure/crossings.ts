/**
 * Follows value to other networks over bridges whose events name receiver, amount and message on both sides
 * (`schema/registry/message-bridges.ts`).
 *
 *     payer --(bridge_out, key)--> ... --(bridge_in, the same key)--> the receiver that both events name
 *
 * A receipt is followed to the payer on the other network, and a deposit to its receiver: other addresses than the wallet's own, as
 * with any payment. A receipt without a deposit of the same key leads nowhere, because anybody can fill what nobody deposited. The
 * payer is the account that moved exactly that amount into the bridge, not the one that the depositor names. If the amounts of a
 * transaction do not add up to its crossings, or several parties paid, nothing is followed.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Network } from '../../../schema/networks.ts'
import { crossingOf, MESSAGE_BRIDGES, takersOf } from '../../../schema/registry/message-bridges.ts'
import type { Movement } from './movements.ts'
import { remoteKey, type Side } from './passages.ts'

const TO = readSql(import.meta.url, './sql/crossings-to.sql')
const OF = readSql(import.meta.url, './sql/crossings-of.sql')
const MOVED = readSql(import.meta.url, './sql/crossed.sql')

/** One end of a crossing. `amount` in base units: deposited or received. */
export type End = { receiver: string; key: string; tx: string; time: number; amount: string }
type Moved = { address: string; tx: string; asset: string; amount: string }
type Crossing = { given: End; got: End }

const endsTo = ({ network, store, head }: Side, receivers: readonly string[], event: 'bridge_out' | 'bridge_in') =>
  receivers.length === 0
    ? Promise.resolve([])
    : store.query<End>(TO, { network, receivers, event, head }, { route: 'exposure_crossings_to' })

const endsOf = ({ network, store, head }: Side, transactions: readonly string[]) =>
  store.query<End>(OF, { network, transactions, head }, { route: 'exposure_crossings_of' })

const movedIn = (
  { network, store }: Side,
  transactions: readonly string[],
  direction: 1 | -1,
  { takers = [], addresses = [] }: { takers?: readonly string[]; addresses?: readonly string[] },
) =>
  transactions.length === 0
    ? Promise.resolve([])
    : store.query<Moved>(MOVED, { network, transactions, direction, takers, addresses }, { route: 'exposure_crossed' })

/** Pairs ends with the same key and receiver, each once: the oldest receipt with the oldest earlier deposit. Inputs are oldest first. */
export const crossingsOf = (given: readonly End[], got: readonly End[]): Crossing[] => {
  const nameOf = ({ receiver, key }: End) => `${receiver} ${key}`
  const open = new Map<string, End[]>()
  for (const end of given) open.set(nameOf(end), [...(open.get(nameOf(end)) ?? []), end])
  return got.flatMap((receipt) => {
    const [deposit, ...rest] = open.get(nameOf(receipt)) ?? []
    if (deposit === undefined || deposit.time > receipt.time) return []
    open.set(nameOf(receipt), rest)
    return [{ given: deposit, got: receipt }]
  })
}

const grouped = <T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> => {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

const sameAmounts = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && [...one].sort().join() === [...other].sort().join()

/** The single distinct value; `undefined` for none or several. */
const single = (values: readonly string[]): string | undefined => {
  const [first, ...others] = new Set(values)
  return others.length === 0 ? first : undefined
}

/** Payer by transaction: the one account that gave exactly the amounts that left. Absent if several did or the amounts differ. */
const payersIn = (moved: readonly Moved[], ends: readonly End[]): Map<string, string> => {
  const left = grouped(ends, ({ tx }) => tx)
  return new Map(
    [...grouped(moved, ({ tx }) => tx)].flatMap(([tx, given]) => {
      const payer = single(given.map(({ address }) => address))
      const amounts = (some: readonly { amount: string }[]) => some.map(({ amount }) => amount)
      return payer !== undefined && sameAmounts(amounts(given), amounts(left.get(tx) ?? []))
        ? [[tx, payer] as const]
        : []
    }),
  )
}

/** Sets `otherSide` on movements of one address and transaction if their amounts equal those of the crossings exactly. */
const markOtherSide = (
  movements: readonly Movement[],
  direction: 1 | -1,
  moved: readonly Moved[],
  amounts: readonly string[],
  otherSide: NonNullable<Movement['otherSide']>,
): void => {
  for (const [asset, mine] of grouped(moved, (one) => one.asset)) {
    const theirs = movements.filter((one) => one.asset === asset && one.direction === direction)
    if (
      !sameAmounts(
        mine.map(({ amount }) => amount),
        amounts,
      )
    )
      continue
    for (const movement of theirs) movement.otherSide = otherSide
  }
}

type Loaded = ReadonlyMap<string, readonly Movement[]>

const movementsIn = (movementsOf: Loaded, address: string, tx: string): Movement[] =>
  (movementsOf.get(address) ?? []).filter((one) => one.tx === tx)

const remoteNetwork = (end: End, side: 'from' | 'to'): Network | undefined => crossingOf(end.key)?.[side]

/** Follows receipts of the addresses back to their payers on other networks. */
const followBack = async (own: Side, movementsOf: Loaded, got: readonly End[], sides: ReadonlyMap<Network, Side>) => {
  for (const [code, some] of grouped(got, (end) => remoteNetwork(end, 'from') ?? '')) {
    const side = sides.get(code as Network)
    if (side === undefined) continue
    const receivers = [...new Set(some.map(({ receiver }) => receiver))]
    const crossings = crossingsOf(await endsTo(side, receivers, 'bridge_out'), some)
    const departures = [...new Set(crossings.map(({ given }) => given.tx))]
    if (departures.length === 0) continue
    const arrivals = [...new Set(crossings.map((one) => one.got.tx))]
    const [ends, gave, received] = await Promise.all([
      endsOf(side, departures),
      movedIn(side, departures, -1, { takers: takersOf(side.network) }),
      movedIn(own, arrivals, 1, { addresses: receivers }),
    ])
    const payers = payersIn(gave, ends)
    for (const together of grouped(crossings, (one) => `${one.got.receiver} ${one.got.tx}`).values()) {
      const [first] = together
      const payer = single(together.map(({ given }) => payers.get(given.tx) ?? ''))
      if (first === undefined || payer === undefined || payer === '') continue
      const { receiver, tx } = first.got
      markOtherSide(
        movementsIn(movementsOf, receiver, tx),
        1,
        received.filter((one) => one.address === receiver && one.tx === tx),
        together.map((one) => one.got.amount),
        { counterparty: remoteKey(side.network, payer), time: Math.max(...together.map(({ given }) => given.time)) },
      )
    }
  }
}

/** Follows deposits of the addresses to their receivers on other networks. */
const followOn = async (own: Side, movementsOf: Loaded, given: readonly End[], sides: ReadonlyMap<Network, Side>) => {
  const takers = takersOf(own.network)
  for (const [code, some] of grouped(given, (end) => remoteNetwork(end, 'to') ?? '')) {
    const side = sides.get(code as Network)
    if (side === undefined) continue
    const arrived = await endsTo(side, [...new Set(some.map(({ receiver }) => receiver))], 'bridge_in')
    const crossings = crossingsOf(some, arrived)
    const departures = [...new Set(crossings.map((one) => one.given.tx))]
    const gave = await movedIn(own, departures, -1, { takers })
    const payers = payersIn(gave, given)
    for (const [tx, together] of grouped(crossings, (one) => one.given.tx)) {
      const payer = payers.get(tx)
      const receiver = single(together.map((one) => one.got.receiver))
      if (payer === undefined || receiver === undefined) continue
      const movements = movementsIn(movementsOf, payer, tx).filter(({ counterparty }) => takers.includes(counterparty))
      markOtherSide(
        movements,
        -1,
        gave.filter((one) => one.tx === tx),
        together.map((one) => one.given.amount),
        { counterparty: remoteKey(side.network, receiver), time: Math.min(...together.map(({ got }) => got.time)) },
      )
    }
  }
}

/**
 * Sets `otherSide` on movements that lead to other networks over such bridges.
 * @param sides other networks with settled tables
 * @returns networks that crossings of the addresses come from or go to
 */
export const followCrossings = async (
  own: Side,
  movementsOf: Loaded,
  sides: ReadonlyMap<Network, Side>,
): Promise<Set<Network>> => {
  const { network } = own
  if (MESSAGE_BRIDGES[network].size === 0) return new Set()
  const takers = new Set(takersOf(network))
  const departures = [...movementsOf.values()].flatMap((movements) =>
    movements.flatMap(({ direction, counterparty, tx }) => (direction === -1 && takers.has(counterparty) ? [tx] : [])),
  )
  const [got, given] = await Promise.all([
    endsTo(own, [...movementsOf.keys()], 'bridge_in'),
    departures.length === 0 ? [] : endsOf(own, [...new Set(departures)]),
  ])
  await followBack(own, movementsOf, got, sides)
  await followOn(own, movementsOf, given, sides)
  return new Set(
    [...got.map((end) => remoteNetwork(end, 'from')), ...given.map((end) => remoteNetwork(end, 'to'))].filter(
      (other) => other !== undefined,
    ),
  )
}
