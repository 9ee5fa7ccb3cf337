/**
 * Wallets that received most of their funds over bridges. Verdicts do not follow value to other networks
 * (docs/adr/0027-bridges-by-message.md), so the origin of such funds counts neither for nor against a wallet. It is listed as unknown.
 */
import { readSql } from '../../../platform/store/sql.ts'
import { NETWORK_CODES, type Network } from '../../../schema/networks.ts'
import { ROUTES } from '../../../schema/registry/bridges.ts'
import { infrastructureOf } from '../../../schema/registry/infrastructure.ts'
import { crossingOf } from '../../../schema/registry/message-bridges.ts'
import { readByTier } from '../reading/tiers.ts'
import { DEFAULT_LIMITS, withoutDust } from './exposure.ts'
import { createGraph } from './graph.ts'
import { type InflowQuestion, VERDICT_GRAPH_LIMITS } from './inflow.ts'
import type { Movement } from './movements.ts'
import { receiptFrom, remoteKey } from './passages.ts'

const BRIDGED = readSql(import.meta.url, './sql/bridged.sql')
const MINTED = readSql(import.meta.url, './sql/minted.sql')

/** Share of the income above which the origin of the wallet's funds is unknown. */
const MOST = 0.5
/** Wallets whose movements are held in memory at once. */
const AT_ONCE = 200
const ZERO = `0x${'0'.repeat(40)}`

/** `share` of the income, 0 to 1. `from`: networks of origin that bridges name, in table order. */
export type Bridged = { share: number; from: Network[] }

type BridgedQuestion = Omit<InflowQuestion, 'contacts'>
type Arrival = { address: string; tx: string; key: string; counterparty: string }

/** Contracts that pay out crossed value, and tokens that are minted for it. */
const exitsOf = (network: Network) => {
  const bridges = [...infrastructureOf(network)].flatMap(([address, { category }]) =>
    category === 'bridge' ? [address] : [],
  )
  const routes = ROUTES.filter(({ to }) => to === network)
  return {
    gates: [...new Set([...bridges, ...routes.map(({ exit }) => exit)])].filter((gate) => gate !== ZERO),
    minted: routes.flatMap(({ exit, got }) => (exit === ZERO ? [got] : [])),
  }
}

/**
 * Receipts of the wallets over bridges. Mints come from the zero address, so receivers of any mint are checked for tokens that a bridge
 * mints. Few wallets ever received a mint.
 */
const loadArrivals = async ({ store, network, heights, tiers, dealers }: BridgedQuestion): Promise<Arrival[]> => {
  const { gates, minted } = exitsOf(network)
  if (dealers.length === 0 || gates.length + minted.length === 0) return []
  const mints = minted.length > 0 ? [ZERO] : []
  const signs = await readByTier(store, tiers, dealers, (tiered, addresses) =>
    tiered.query<Arrival>(
      BRIDGED,
      { network, addresses, gates: [...gates, ...mints], head: heights.head },
      { route: 'exposure_bridged' },
    ),
  )
  const arrivals = signs.filter(({ counterparty }) => counterparty !== ZERO)
  if (arrivals.length === signs.length) return arrivals
  const receivers = signs.flatMap(({ address, counterparty }) => (counterparty === ZERO ? [address] : []))
  const holders = await readByTier(store, tiers, receivers, (tiered, addresses) =>
    tiered.query<{ address: string }>(MINTED, { network, addresses, minted }, { route: 'exposure_minted' }),
  )
  const got = new Set(holders.map(({ address }) => address))
  return signs.filter(({ address, counterparty }) => counterparty !== ZERO || got.has(address))
}

/** Wallets that received most of their income over bridges. */
export const loadBridged = async (question: BridgedQuestion): Promise<Map<string, Bridged>> => {
  const { store, network, heights } = question
  const found = new Map<string, Bridged>()
  const arrivals = await loadArrivals(question)
  const addresses = [...new Set(arrivals.map(({ address }) => address))].sort()
  if (addresses.length === 0) return found
  const from = new Map(arrivals.map(({ address, tx, key }) => [`${address} ${tx}`, crossingOf(key)?.from]))
  /** Sets the network of origin on movements. */
  const follow = async (loaded: ReadonlyMap<string, Movement[]>) => {
    for (const [address, movements] of loaded) {
      for (const movement of movements) {
        if (movement.direction !== 1) continue
        const origin = from.get(`${address} ${movement.tx}`) ?? receiptFrom(network, movement)
        if (origin) movement.otherSide = { counterparty: remoteKey(origin, address), time: movement.time }
      }
    }
  }
  const isBridge = (graph: ReturnType<typeof createGraph>, counterparty: string): boolean =>
    originOf(counterparty) !== undefined || graph.attributions.get(counterparty)?.category === 'bridge'
  const valuation = await question.valuation()
  for (let at = 0; at < addresses.length; at += AT_ONCE) {
    const some = addresses.slice(at, at + AT_ONCE)
    const graph = createGraph(store, network, heights, valuation, VERDICT_GRAPH_LIMITS, { follow })
    await graph.expand(some)
    for (const address of some) {
      const { real, total } = withoutDust(graph.flows(address, 'incoming').flows, DEFAULT_LIMITS)
      const over = real.filter(({ counterparty }) => isBridge(graph, counterparty))
      const share = total > 0 ? over.reduce((sum, { usd }) => sum + usd, 0) / total : 0
      const networks = over.flatMap(({ counterparty }) => originOf(counterparty) ?? [])
      if (share > MOST) found.set(address, { share, from: NETWORK_CODES.filter((code) => networks.includes(code)) })
    }
  }
  return found
}

/** Network of a party; `undefined` for parties on the wallet's own network. */
const originOf = (counterparty: string): Network | undefined =>
  NETWORK_CODES.find((network) => counterparty.startsWith(remoteKey(network, '')))

/** Unknowns of a record because of bridged funds. */
export const bridgedUnknown = (bridged: Bridged | undefined): string[] => {
  if (bridged === undefined) return []
  const { share, from } = bridged
  const where = from.length > 0 ? `, from ${from.join(' and ')}` : ''
  return [`exposure: origin on another network (${Math.floor(share * 100)} % of its funds came over bridges${where})`]
}
