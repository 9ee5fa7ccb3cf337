/** Contract analysis with the configured nodes. */
import type { Producer } from '../../platform/bus/bus.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context/context.ts'
import { RpcError } from '../../platform/rpc/errors.ts'
import type { RpcPool } from '../../platform/rpc/pool.ts'
import type { Store } from '../../platform/store/store.ts'
import { type Network, networksOf } from '../../schema/networks.ts'
import { topics } from '../../schema/topics.ts'
import { type Answer, batched } from '../../scorer/contracts/chain/batching.ts'
import type { Requester } from '../../scorer/contracts/chain/call.ts'
import { createSourceRegistry, type SourceRegistry } from '../../scorer/contracts/code/sources/registry.ts'
import { createVerifiedSources } from '../../scorer/contracts/code/sources/verified.ts'
import {
  type ContractRecords,
  type ContractRecordsDeps,
  createContractRecords,
} from '../../scorer/contracts/records/records.ts'
import { createContractStream } from '../../scorer/contracts/records/stream.ts'
import { contractRegistry } from '../../scorer/contracts/subject/registry.ts'
import { rescoreMessages } from '../../scorer/rescore/queue.ts'
import { poolsOf } from './parts.ts'

/** Deadline of a background analysis, ms. */
const DEADLINE_MS = 15_000

/**
 * Requester over a pool. A batch is repeated on other nodes while parts of it fail with temporary errors; in the end every
 * question keeps its last answer.
 */
const requesterOf = (pool: RpcPool): Requester =>
  batched({
    request: ({ method, params }) => pool.request(method, params),
    batch: async (questions) => {
      let answers: Answer[] = []
      const passing = (answer: Answer) =>
        'error' in answer && answer.error instanceof RpcError && /^(limited|transient)$/.test(answer.error.kind)
      try {
        return await pool.attempt(async (node) => {
          answers = await node.batch(questions)
          const mendable = answers.find(passing)
          if (mendable && 'error' in mendable) throw mendable.error
          return answers
        })
      } catch (error) {
        if (answers.length === questions.length) return answers
        throw error
      }
    },
  })

const isHttp = (url: string) => url.startsWith('http')

/** Requesters of networks whose contracts can be analysed: those with an HTTP endpoint. */
const requestersOf = (pools: Partial<Record<Network, RpcPool>>): Partial<Record<Network, Requester>> =>
  Object.fromEntries(
    networksOf('rug_pull').flatMap((network) => {
      const pool = pools[network]
      return pool ? [[network, requesterOf(pool)]] : []
    }),
  )

/** Known code, and the service of verified sources if configured. */
const sourcesOf = (context: Context, config: Config): SourceRegistry =>
  createSourceRegistry(
    config.ASSAY_SOURCES_URL ? createVerifiedSources({ context, url: config.ASSAY_SOURCES_URL.reveal() }) : undefined,
  )

/** Queues affected wallets for scoring, and publishes records to topic `records`. */
const busPortsOf = (producer: Producer): Required<Pick<ContractRecordsDeps, 'touch' | 'publish'>> => ({
  touch: (network, addresses) =>
    producer.send([{ topic: topics.rescore(network), messages: rescoreMessages(addresses) }]),
  publish: (messages) => producer.send([{ topic: topics.records, messages }]),
})

/** Contract records for the API; undefined if no node of an analysed network is configured. */
export const openContracts = (
  context: Context,
  config: Config,
  pools: Partial<Record<Network, RpcPool>>,
  store: Store,
  producer: Producer,
  findPools?: ContractRecordsDeps['findPools'],
): ContractRecords | undefined => {
  const rpc = requestersOf(pools)
  if (Object.keys(rpc).length === 0) return undefined
  const options = { sources: sourcesOf(context, config) }
  return createContractRecords({ context, store, rpc, ...busPortsOf(producer), findPools, options })
}

/** Keeps contract records of one network up to date until the lifecycle of the context ends. */
export type KeepContracts = (context: Context) => Promise<void>

/** Creates the upkeep of contract records; undefined if the network has no contracts to analyse, or no node. */
export const keeperOf = (
  { log }: Pick<Context, 'log'>,
  config: Config,
  { network, store, producer, changes }: { network: Network; store: Store; producer: Producer; changes: () => number },
): KeepContracts | undefined => {
  const registry = contractRegistry(network)
  if (!registry) return undefined
  const given = config.networks.filter((one) => one.network === network)
  if (!given.some(({ urls }) => urls.some(isHttp))) {
    log.info({ network, setting: `${network}_RPC_URL` }, 'contract records are off: the network has no node to ask')
    return undefined
  }
  return async (context) => {
    const rpc = requestersOf(poolsOf(context, { networks: given }))
    const options = { deadlineMs: DEADLINE_MS, sources: sourcesOf(context, config) }
    const records = createContractRecords({ context, store, rpc, ...busPortsOf(producer), options })
    await createContractStream({ context, store, records, network, registry, changes }).run()
  }
}
