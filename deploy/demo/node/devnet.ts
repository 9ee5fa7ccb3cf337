/**
 * The local chain of the demonstration: anvil as chain 1. Assay mines its blocks and saves them to disk.
 *
 * anvil loses everything that was not dumped, but an indexer must never see a final block disappear. So a block is mined
 * only when the block that it makes final is on disk. `stop` saves first. After a kill -9 of this process the orphaned
 * node still has every block: the next start saves its state and ends it. After a kill of the node, only blocks since the
 * last save are lost. None of them is final, so the indexer sees a shallow reorg.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Logger } from '../../../platform/context/log.ts'
import { messageOf, OperatorError, RetryableError } from '../../../platform/errors.ts'
import { ACTORS, loadActors, SEED_PHRASE } from '../scenario/actors.ts'
import { HISTORY_DAYS } from '../scenario/days.ts'
import { createLiveTraffic } from '../scenario/live.ts'
import { type Anvil, reservePort, startAnvil, stopOnError } from './anvil.ts'
import { createRpc, quantity, type Rpc } from './rpc.ts'
import {
  type ChainName,
  deleteProcess,
  filesOf,
  findRunningNode,
  genesisOf,
  genesisTime,
  isSaved,
  saveProcess,
  saveState,
  unpackState,
} from './state.ts'

/** anvil's `finalized` is the head minus twice this many blocks. */
const SLOTS_IN_AN_EPOCH = 4
/** Blocks below the head that the node calls finalized: two epochs, as on Ethereum. */
export const FINALITY_DEPTH = 2 * SLOTS_IN_AN_EPOCH
const DAY_S = 86_400
/** While the chain is quiet, one of this many blocks may contain a transaction. */
const QUIET_BLOCKS_PER_TRANSACTION = 3

/** Where the chain is saved and how fast it produces blocks. */
export type DevnetOptions = {
  /** The state is saved in `<dataDir>/devnet`. */
  dataDir: string
  /** @default any free port */
  port?: number
  log: Logger
  /** Aborting it stops the chain as `stop` does. */
  signal: AbortSignal
  /** Block time, ms. */
  blockTimeMs: number
  /** Block time once the blocks before `produce` are final and saved, ms. @default `blockTimeMs` */
  quietBlockTimeMs?: number
  /** Whether the next block may contain transactions. @default always */
  mayTransact?: () => boolean
}

/** A running chain. */
export type Devnet = {
  rpcUrl: string
  /** Whether the chain continues from a saved state. */
  resumed: boolean
  /** Starts mining, with a few ordinary transactions. Call it after the scenario. Idempotent. */
  produce: () => void
  /** Saves the state, then stops the node. Idempotent. */
  stop: () => Promise<void>
  /** Resolves after `stop`; rejects if the node exits or its state cannot be saved. @throws RetryableError ASSAY_DEMO_NODE_SILENT */
  done: Promise<void>
}

/** Whether the operating system refused to write, for example because the disk is full. */
const isSystemError = (error: unknown): boolean => error instanceof Error && 'syscall' in error && 'errno' in error

/** Saves the state of a node whose process was killed, then ends the node. A node of another chain is left alone. */
const stopOrphanedNode = async (dataDir: string, log: Logger): Promise<void> => {
  const left = await findRunningNode(dataDir, 'process')
  if (left) {
    if (left.parentIsRunning) {
      throw new OperatorError(
        'ASSAY_DEMO_IN_USE',
        `Process ${left.parent} is running the local chain of ${dataDir}. Nothing was started. Stop that process first, or set ASSAY_DATA to another folder.`,
      )
    }
    // Without a saved state the scenario was not complete. An incomplete one is discarded.
    const saved = isSaved(dataDir) ? await saveState(createRpc(left.url, 10_000), dataDir) : undefined
    process.kill(left.pid, 'SIGKILL')
    log.info({ pid: left.pid, saved }, 'ended the local chain of a killed process')
  }
  deleteProcess(dataDir, 'process')
}

/** Ends the payment chain of a killed process, whose state is not needed, and records the one that runs now. */
export const replacePaymentChain = async (
  dataDir: string,
  running: Pick<Anvil, 'pid' | 'url' | 'stop'>,
): Promise<void> => {
  const left = await findRunningNode(dataDir, 'payments')
  if (left && !left.parentIsRunning) process.kill(left.pid, 'SIGKILL')
  await recordNode(dataDir, running, 'payments')
}

/** Records the running node, so that the next start finds it if this process is killed. A node that cannot be recorded is ended. */
const recordNode = async (
  dataDir: string,
  anvil: Pick<Anvil, 'pid' | 'url' | 'stop'>,
  chain: ChainName,
): Promise<void> =>
  stopOnError(anvil, async () => {
    const genesis = await genesisOf(createRpc(anvil.url))
    saveProcess(dataDir, { pid: anvil.pid, parent: process.pid, url: anvil.url, genesis }, chain)
  })

const mine = async (rpc: Rpc): Promise<number> => {
  const head = await rpc.call('eth_getBlockByNumber', 'latest', false)
  const { timestamp } = z.object({ timestamp: quantity }).parse(head)
  const next = Math.max(timestamp + 1, Math.floor(Date.now() / 1000))
  await rpc.call('evm_mine', { timestamp: next })
  return quantity.parse(await rpc.call('eth_blockNumber'))
}

/**
 * Starts a new chain, or resumes the saved one with the same blocks, receipts, logs and accounts.
 * @throws OperatorError ASSAY_DEMO_ANVIL_MISSING, ASSAY_DEMO_PORT_TAKEN, ASSAY_DEMO_IN_USE
 * @throws RetryableError ASSAY_DEMO_NODE_SILENT
 */
export const startDevnet = async (options: DevnetOptions): Promise<Devnet> => {
  const { dataDir, log, signal, blockTimeMs, quietBlockTimeMs = blockTimeMs, mayTransact = () => true } = options
  await stopOrphanedNode(dataDir, log)
  const { state } = filesOf(dataDir)
  const resumed = isSaved(dataDir)
  unpackState(dataDir)
  const timestamp = genesisTime(dataDir, Math.floor(Date.now() / 1000) - HISTORY_DAYS * DAY_S)
  const anvil = await startAnvil({
    port: await reservePort(options.port),
    stateFile: state,
    // Ctrl-C must reach only this process, which saves the state before the node ends.
    ownProcessGroup: true,
    signal,
    arguments: [
      ...['--chain-id', '1', '--no-mining', '--order', 'fifo', '--gas-limit', '60000000'],
      ...[
        '--slots-in-an-epoch',
        String(SLOTS_IN_AN_EPOCH),
        '--mnemonic',
        SEED_PHRASE,
        '--accounts',
        String(ACTORS.length),
      ],
      ...['--balance', '0', '--timestamp', String(timestamp)],
    ],
  })
  const rpc = createRpc(anvil.url)
  await recordNode(dataDir, anvil, 'process')

  const stopping = new AbortController()
  let production: Promise<void> | undefined
  let settle = { resolve: () => {}, reject: (_: unknown) => {} }
  const done = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // Callers that await `done` see the failure. Without a handler, a rejection would end the process.
  done.catch(() => {})

  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => {})

  /** Saves the state and retries while the system refuses to write. No block is mined until it succeeds. */
  const save = async (): Promise<number> => {
    for (;;) {
      try {
        return await saveState(rpc, dataDir)
      } catch (error) {
        if (stopping.signal.aborted || !isSystemError(error)) throw error
        log.warn({ error: messageOf(error) }, 'failed to save the local chain, mining waits')
        await pause(quietBlockTimeMs)
      }
    }
  }

  const run = async () => {
    const traffic = createLiveTraffic(rpc, await loadActors(rpc))
    let saved = await save()
    const quietFrom = saved + 2 * FINALITY_DEPTH
    for (let height = saved; !stopping.signal.aborted; ) {
      const isTurn = height <= quietFrom || height % QUIET_BLOCKS_PER_TRANSACTION === 0
      if (isTurn && mayTransact()) await traffic.send()
      height = await mine(rpc)
      if (height + 1 - FINALITY_DEPTH > saved) saved = await save()
      await pause(height > quietFrom ? quietBlockTimeMs : blockTimeMs)
    }
  }

  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => {
    stopped ??= (async () => {
      stopping.abort()
      await production?.catch(() => {})
      // A chain that was never saved has an incomplete scenario: the next start begins again.
      try {
        if (isSaved(dataDir)) await saveState(rpc, dataDir)
      } finally {
        await anvil.stop()
        deleteProcess(dataDir, 'process')
      }
    })()
    stopped.then(settle.resolve, settle.reject)
    return stopped
  }

  anvil.exited.then(() => {
    if (stopping.signal.aborted) return
    stopping.abort()
    deleteProcess(dataDir, 'process')
    settle.reject(
      new RetryableError(
        'ASSAY_DEMO_NODE_SILENT',
        'The local chain exited unexpectedly. Start again; it resumes from its last saved block.',
      ),
    )
  })
  const onAbort = () => void stop().catch(() => {})
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })

  return {
    rpcUrl: anvil.url,
    resumed,
    produce: () => {
      production ??= run().catch((error) => {
        if (stopping.signal.aborted) return
        log.error({ error: messageOf(error) }, 'stopped producing blocks')
        settle.reject(error)
      })
    },
    stop,
    done,
  }
}
