/**
 * Verdicts on a chain through the product's own parts: a node, its source, the follower, the bus, the ingest, the tables,
 * and the scoring function. Every part can be stopped and restarted over the same folder and tables.
 */
import { createIndexer } from '../../../indexer/index.ts'
import { decodeBlock } from '../../../indexer/source/evm/decode/index.ts'
import { createEvmSource } from '../../../indexer/source/evm/index.ts'
import type { Source } from '../../../indexer/source/source.ts'
import type { Context } from '../../../platform/context/context.ts'
import type { Network } from '../../../schema/networks.ts'
import { topics } from '../../../schema/topics.ts'
import { createIngest } from '../../../scorer/ingest/ingest.ts'
import { createRescore } from '../../../scorer/rescore/rescore.ts'
import { createWalletModel } from '../../../scorer/scoring/model/wallet-model.ts'
import type { Verdict } from '../../../scorer/scoring/verdict.ts'
import { temporaryBus } from '../../e2e/recorded/recorded.helpers.ts'
import type { Anvil } from '../chain/anvil.ts'
import { testContext } from '../context.ts'
import { openTestStore, type TestStore } from '../store/store.ts'
import { until } from '../until.ts'

const STORED = `SELECT block_hash AS hash FROM blocks_all WHERE network = {network:String} ORDER BY block_number DESC LIMIT 1`

export type Verdicts = {
  store: TestStore['store']
  /** Starts indexer and ingest. */
  start: () => Promise<void>
  /** Stops both; what they wrote stays. @throws the error that stopped them before */
  stop: () => Promise<void>
  /** Waits until the newest block in the tables is the node's. */
  caughtUp: () => Promise<void>
  /** Waits until blocks up to the node's final one are in the final tables. */
  settled: () => Promise<void>
  /** As of a fixed time. */
  score: (addresses: readonly string[]) => Promise<Map<string, Verdict>>
  close: () => Promise<void>
}

/** A chain for verdicts, and the state its node reports. */
export type VerdictChain = {
  network: Network
  source: (context: Context) => Source
  newest: () => Promise<{ hash: string }>
  /** Height of the newest final block. */
  final: () => Promise<number>
}

/** The node's chain is followed as `network`. */
export const openVerdicts = (anvil: Pick<Anvil, 'url' | 'rpc'>, network: Network = 'ETH'): Promise<Verdicts> =>
  openVerdictsOn({
    network,
    source: (context) => createEvmSource({ context, network, urls: [anvil.url], decode: decodeBlock, pollMs: 100 }),
    newest: () => anvil.rpc<{ hash: string }>('eth_getBlockByNumber', 'latest', false),
    final: async () => {
      const { number } = await anvil.rpc<{ number: string }>('eth_getBlockByNumber', 'finalized', false)
      return Number(number)
    },
  })

/** Verdicts on a chain of any family. */
export const openVerdictsOn = async ({ network, ...chain }: VerdictChain): Promise<Verdicts> => {
  const [{ bus, close }, kit] = await Promise.all([temporaryBus(), openTestStore()])
  const scoring = createRescore({ context: testContext(), store: kit.store, model: createWalletModel() })
  let running: { settledTo: () => number; stop: () => Promise<void>; failure: () => unknown } | undefined

  const launch = () => {
    const context = testContext()
    const shared = { context, network, bus } as const
    const source = chain.source(context)
    const indexer = createIndexer({ ...shared, source, options: { startBlock: 0, idleMs: 100 } })
    const options = { minIntervalMs: 0, moveAfterMs: 0, keepHotMs: 0 }
    const ingest = createIngest({ ...shared, store: kit.store, options })
    let failure: unknown
    const note = (error: unknown) => {
      failure ??= error
    }
    const ended = Promise.all([indexer.run().catch(note), ingest.run().catch(note)])
    return {
      failure: () => failure,
      settledTo: () => ingest.status().settled ?? -1,
      stop: async () => {
        await context.lifecycle.close()
        await ended
        await source.close()
        if (failure) throw failure
      },
    }
  }
  const wait = (what: string, check: () => Promise<boolean>) =>
    until(what, async () => {
      if (running?.failure()) throw running.failure()
      return check()
    })
  const stop = async () => {
    const was = running
    running = undefined
    await was?.stop()
  }

  return {
    store: kit.store,
    start: async () => {
      running = launch()
    },
    stop,
    caughtUp: async () => {
      const { hash } = await chain.newest()
      await wait('the newest block is in the tables', async () => {
        const [newest] = await kit.store.query<{ hash: string }>(STORED, { network })
        return newest?.hash === hash && (await bus.lag(`ingest.${topics.head(network)}`, topics.head(network))) === 0n
      })
    },
    settled: async () => {
      const number = await chain.final()
      await wait('final blocks are in the final tables', async () => (running?.settledTo() ?? -1) >= number)
    },
    score: async (addresses) => {
      const scored = await scoring.rescore(network, addresses, Date.UTC(2027, 0, 1))
      return new Map(scored.map((one) => [one.address, one]))
    },
    close: async () => {
      await stop().catch(() => undefined)
      await close()
      await kit.close()
    },
  }
}
