/**
 * Follows value from one network to another over bridges whose routes can be matched on chain (`schema/registry/bridges.ts`).
 *
 * A receipt is matched with a deposit of the same address on the other network: exactly the same amount, not after the receipt, within the
 * time the bridge takes, and each deposit once. So it only ever leads a wallet to itself. If a stranger bridges funds to a wallet, there is
 * no deposit of that wallet's address, and the funds stay funds from a bridge. Nothing is traced through the funds of a bridge.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Network } from '../../../schema/networks.ts'
import { ROUTES, type Route } from '../../../schema/registry/bridges.ts'
import type { TieredStore } from '../reading/tiers.ts'
import type { Movement } from './movements.ts'

const PASSAGES = readSql(import.meta.url, './sql/passages.sql')

/** A movement between an address and a bridge contract; `amount` in base units. */
export type Passage = { address: string; counterparty: string; tx: string; time: number; amount: string }

/** Source of minted tokens and destination of burned ones. */
const ZERO = `0x${'0'.repeat(40)}`

/** A network whose tables can be read together with those of the wallet's network. */
export type Side = { network: Network; store: TieredStore; head: number }

/** Key of an address on another network in walks and paths: `ETH:0x…`. */
export const remoteKey = (network: Network, address: string): string => `${network}:${address}`

const gateOf = (route: Route, network: Network): string | undefined =>
  route.to === network ? route.exit : route.from === network ? route.entry : undefined

const assetOf = (route: Route, network: Network): string => (route.to === network ? route.got : route.given)

/** Whether a movement transfers the route's asset to or from the route's contract, in the route's direction. */
const isPassage = (route: Route, network: Network, { direction, asset, counterparty }: Movement): boolean =>
  asset === assetOf(route, network) &&
  direction === (route.to === network ? 1 : -1) &&
  counterparty === gateOf(route, network)

/** Origin network of a movement that is a receipt over a route to this network. */
export const receiptFrom = (network: Network, movement: Movement): Network | undefined =>
  ROUTES.find((route) => route.to === network && isPassage(route, network, movement))?.from

/** Other networks that movements lead to. */
export const bridgedNetworks = (network: Network, movements: readonly Movement[]): Network[] =>
  ROUTES.flatMap((route) =>
    movements.some((one) => isPassage(route, network, one)) ? [route.to === network ? route.from : route.to] : [],
  )

/**
 * Pairs deposits with their receipts: same address, same amount, receipt not before the deposit and within `withinS`. Each receipt takes
 * the oldest matching deposit. Inputs are oldest first.
 */
export const pairsOf = (
  deposits: readonly Passage[],
  receipts: readonly Passage[],
  withinS: number,
): { deposit: Passage; receipt: Passage }[] => {
  const alike = ({ address, amount }: Passage) => `${address} ${amount}`
  const open = new Map<string, Passage[]>()
  for (const deposit of deposits) open.set(alike(deposit), [...(open.get(alike(deposit)) ?? []), deposit])
  return receipts.flatMap((receipt) => {
    const waiting = (open.get(alike(receipt)) ?? []).filter(({ time }) => receipt.time - time <= withinS)
    const [deposit, ...rest] = waiting
    const fits = deposit !== undefined && deposit.time <= receipt.time
    open.set(alike(receipt), fits ? rest : waiting)
    return fits ? [{ deposit, receipt }] : []
  })
}

const passagesOf = (
  { network, store, head }: Side,
  addresses: readonly string[],
  gate: string,
  asset: string,
  direction: 1 | -1,
): Promise<Passage[]> =>
  store.query<Passage>(PASSAGES, { network, addresses, gate, asset, direction, head }, { route: 'exposure_passages' })

/** Key of a passage by its movement. A transaction may have several passages. */
const keyOf = (address: string, tx: string, gate: string): string => `${address} ${tx} ${gate}`

/**
 * Sets `otherSide` on movements over bridges. If only some passages of a transaction are matched, none of them is followed.
 * Unmatched mints come from the bridge's entry, unmatched burns go to its exit.
 * @param sides other networks with settled tables
 */
export const followBridges = async (
  own: Side,
  movementsOf: ReadonlyMap<string, Movement[]>,
  sides: ReadonlyMap<Network, Side>,
): Promise<void> => {
  const { network } = own
  for (const route of ROUTES) {
    const gate = gateOf(route, network)
    const other = route.to === network ? route.from : route.to
    if (gate === undefined) continue
    const crossing = [...movementsOf].flatMap(([address, movements]) =>
      movements.filter((one) => isPassage(route, network, one)).map((movement) => ({ address, movement })),
    )
    if (crossing.length === 0) continue
    const side = sides.get(other)
    const addresses = [...new Set(crossing.map(({ address }) => address))]
    const [deposits, receipts] = side
      ? await Promise.all([
          passagesOf(route.from === network ? own : side, addresses, route.entry, route.given, -1),
          passagesOf(route.to === network ? own : side, addresses, route.exit, route.got, 1),
        ])
      : [[], []]
    const [here, there] = route.to === network ? (['receipt', 'deposit'] as const) : (['deposit', 'receipt'] as const)
    const met = new Map<string, number[]>()
    for (const pair of pairsOf(deposits, receipts, route.withinS)) {
      const key = keyOf(pair[here].address, pair[here].tx, gate)
      met.set(key, [...(met.get(key) ?? []), pair[there].time])
    }
    const together = new Map<string, number>()
    for (const { address, movement } of crossing) {
      const key = keyOf(address, movement.tx, gate)
      together.set(key, (together.get(key) ?? 0) + 1)
    }
    for (const { address, movement } of crossing) {
      const key = keyOf(address, movement.tx, gate)
      const times = met.get(key) ?? []
      if (times.length > 0 && times.length === together.get(key)) {
        const time = route.to === network ? Math.max(...times) : Math.min(...times)
        movement.otherSide = { counterparty: remoteKey(other, address), time }
      } else if (gate === ZERO) {
        const far = route.to === network ? route.entry : route.exit
        movement.otherSide = { counterparty: remoteKey(other, far), time: movement.time }
      }
    }
  }
}
