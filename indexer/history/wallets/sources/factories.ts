/**
 * Finds pools that registered exchanges announced with a token. Most events have both coins in topics, so that nodes can be
 * asked for one token. Curve and Balancer have them in the data only; their few thousand announcements are all read.
 */
import type { Network } from '../../../../schema/networks.ts'
import { DEX_FACTORIES } from '../../../../schema/registry/contracts.ts'
import type { LogFilter } from '../../logs/logs.ts'
import type { WalletHistory } from '../history.ts'
import { createLogWalk, type LogWalkOptions, type Wanted } from './log-walk.ts'
import { topicOf, topicsOf } from './logs.ts'

/** Events with the coins of a pool in topics 1 and 2. */
export const OF_PAIRS = topicsOf(
  'pairCreated',
  'solidlyPairCreated',
  'v3PoolCreated',
  'solidlyPoolCreated',
  'slipstreamPoolCreated',
  'algebraPoolCreated',
)
/** Events with the coins of a pool in topics 2 and 3. */
export const OF_IDS = topicsOf('v4Initialize', 'infinityClInitialize', 'infinityBinInitialize')
/** Events with the coins of a pool in their data. */
export const OF_DATA = topicsOf(
  'curvePlainPoolDeployed',
  'curvePlainPoolDeployedNg',
  'curveCryptoPoolDeployed',
  'curveTwocryptoPoolDeployed',
  'curveTricryptoPoolDeployed',
  'balancerTokensRegistered',
  'balancerV3PoolRegistered',
)

const factoriesOf = (network: Network) => {
  const all = [...DEX_FACTORIES[network].values()]
  const named = (...kinds: string[]) => all.filter(({ kind }) => kinds.includes(kind)).map(({ address }) => address)
  return {
    pairs: named('v2', 'v3', 'solidly'),
    ids: named('v4', 'infinity-cl', 'infinity-bin'),
    data: named('curve', 'balancer-v2', 'balancer-v3'),
  }
}

/** The filters that find the pools of a token. */
const filtersFor = (network: Network, token: string): Wanted => {
  const { pairs, ids, data } = factoriesOf(network)
  const topic = topicOf(token)
  const inData = new Set(OF_DATA)
  const filters: LogFilter[] = [
    { addresses: pairs, topics: [OF_PAIRS, [topic]] },
    { addresses: [...pairs, ...ids], topics: [[...OF_PAIRS, ...OF_IDS], null, [topic]] },
    { addresses: ids, topics: [OF_IDS, null, null, [topic]] },
    { addresses: data, topics: [OF_DATA] },
  ]
  return {
    filters: filters.filter(({ addresses = [] }) => addresses.length > 0),
    concerns: ({ topics, data: words }) =>
      !inData.has((topics[0] ?? '').toLowerCase()) || words.toLowerCase().includes(topic.slice(2)),
  }
}

/** The `wallet` of its searches is a token. */
export const createFactoryHistory = (options: LogWalkOptions): WalletHistory => ({
  name: 'factories',
  shows: ['pools'],
  offered: async () => true,
  find: createLogWalk(options, (token) => filtersFor(options.network, token)),
})
