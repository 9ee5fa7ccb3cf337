/**
 * The local chain of the demonstration: anvil as chain 1, producing blocks when told to, saved to disk as it goes.
 *
 * anvil loses what it has not dumped, and an indexer must never see a final block vanish. So we mine, not anvil: a
 * block is mined only while the newest one that would then be final is on disk already. A stop saves first. After a
 * kill -9 of this process the orphaned node still holds every block: the next start saves from it and ends it. After a
 * kill of the node itself, blocks since the last save are gone, and all of those were unfinal: a shallow reorg.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import type { Logger } from '../../../platform/context/log.ts'
import { messageOf, OperatorError, RetryableError } from '../../../platform/errors.ts'
import { ACTORS, loadActors, PHRASE } from '../story/actors.ts'
import { HISTORY_DAYS } from '../story/days.ts'
import { createLiveTraffic } from '../story/live.ts'
import { type Anvil, orEnd, reservePort, startAnvil } from './anvil.ts'
import { createRpc, quantity, type Rpc } from './rpc.ts'
import {
  type ChainName,
  filesOf,
  forgetProcess,
  genesisOf,
  genesisTime,
  isSaved,
  leftRunning,
  rememberProcess,
  saveState,
  unpackState,
} from './state.ts'

/** anvil's `finalized` is the head minus twice this many blocks. */
const SLOTS_IN_AN_EPOCH = 4
/** Blocks below the head that the node calls finalized: two epochs, as on Ethereum. */
export const FINALITY_DEPTH = 2 * SLOTS_IN_AN_EPOCH
const DAY_S = 86_400
/** While the chain is quiet, one block in so many may carry a transaction. */
const QUIET_TRAFFIC = 3

/** Where the chain is kept and how fast it goes. */
export type DevnetOptions = {
  /** The state goes to `<dataDir>/devnet`. */
  dataDir: string
  /** Any free port without it. */
  port?: number
  log: Logger
  /** Aborting it stops the chain as `stop` does. */
  signal: AbortSignal
  /** Between blocks once they are produced, ms. */
  blockTimeMs: number
  /** Between blocks once everything up to the start of production is final and saved, ms. @default `blockTimeMs` */
  quietBlockTimeMs?: number
  /** Whether blocks may carry transactions by now; asked before each of them. @default always */
  mayTrade?: () => boolean
}

/** The chain under way. */
export type Devnet = {
  rpcUrl: string
  /** Whether the chain goes on from a saved state. */
  resumed: boolean
  /** Begins to mine, with a few honest transactions; call it after the scenario. Idempotent. */
  produce: () => void
  /** Saves, then ends the node. Idempotent. */
  stop: () => Promise<void>
  /** Resolves after `stop`; rejects when the node dies or can not be saved. @throws RetryableError ASSAY_DEMO_NODE_SILENT */
  done: Promise<void>
}

/** Whether the system refused to write, as with a full disk. */
const isRefusal = (error: unknown): boolean => error instanceof Error && 'syscall' in error && 'errno' in error

/** Saves what a killed predecessor's node holds, then ends that node. A node of another chain is left alone. */
const takeOver = async (dataDir: string, log: Logger): Promise<void> => {
  const left = await leftRunning(dataDir, 'process')
  if (left) {
    if (left.isKept) {
      throw new OperatorError(
        'ASSAY_DEMO_IN_USE',
        `Process ${left.parent} keeps the local chain of ${dataDir}. Nothing was started. Stop it first, or set ASSAY_DATA to another folder.`,
      )
    }
    // Without a saved state the scenario was not over: half a story is thrown away.
    const saved = isSaved(dataDir) ? await saveState(createRpc(left.url, 10_000), dataDir) : undefined
    process.kill(left.pid, 'SIGKILL')
    log.info({ pid: left.pid, saved }, 'ended the local chain of a killed process')
  }
  forgetProcess(dataDir, 'process')
}

/** Ends the chain to pay on that a killed predecessor left, which holds nothing worth keeping, and writes down the one that runs now. */
export const replacePaymentChain = async (
  dataDir: string,
  running: Pick<Anvil, 'pid' | 'url' | 'stop'>,
): Promise<void> => {
  const left = await leftRunning(dataDir, 'payments')
  if (left && !left.isKept) process.kill(left.pid, 'SIGKILL')
  await rememberChain(dataDir, running, 'payments')
}

/** Writes down which node runs, for a start after this one was killed. A node that cannot be written down is ended. */
const rememberChain = async (
  dataDir: string,
  anvil: Pick<Anvil, 'pid' | 'url' | 'stop'>,
  chain: ChainName,
): Promise<void> =>
  orEnd(anvil, async () => {
    const genesis = await genesisOf(createRpc(anvil.url))
    rememberProcess(dataDir, { pid: anvil.pid, parent: process.pid, url: anvil.url, genesis }, chain)
  })

const mine = async (rpc: Rpc): Promise<number> => {
  const head = await rpc.call('eth_getBlockByNumber', 'latest', false)
  const { timestamp } = z.object({ timestamp: quantity }).parse(head)
  const next = Math.max(timestamp + 1, Math.floor(Date.now() / 1000))
  await rpc.call('evm_mine', { timestamp: next })
  return quantity.parse(await rpc.call('eth_blockNumber'))
}

/**
 * Starts the chain, or resumes it where it was: same blocks, receipts, logs and accounts.
 * @throws OperatorError ASSAY_DEMO_ANVIL_MISSING, ASSAY_DEMO_PORT_TAKEN, ASSAY_DEMO_IN_USE
 * @throws RetryableError ASSAY_DEMO_NODE_SILENT
 */
export const startDevnet = async (options: DevnetOptions): Promise<Devnet> => {
  const { dataDir, log, signal, blockTimeMs, quietBlockTimeMs = blockTimeMs, mayTrade = () => true } = options
  await takeOver(dataDir, log)
  const { state } = filesOf(dataDir)
  const resumed = isSaved(dataDir)
  unpackState(dataDir)
  const timestamp = genesisTime(dataDir, Math.floor(Date.now() / 1000) - HISTORY_DAYS * DAY_S)
  const anvil = await startAnvil({
    port: await reservePort(options.port),
    stateFile: state,
    // Ctrl-C in the terminal must reach us first, so that we can save before it ends.
    ownGroup: true,
    signal,
    arguments: [
      ...['--chain-id', '1', '--no-mining', '--order', 'fifo', '--gas-limit', '60000000'],
      ...['--slots-in-an-epoch', String(SLOTS_IN_AN_EPOCH), '--mnemonic', PHRASE, '--accounts', String(ACTORS.length)],
      ...['--balance', '0', '--timestamp', String(timestamp)],
    ],
  })
  const rpc = createRpc(anvil.url)
  await rememberChain(dataDir, anvil, 'process')

  const stopping = new AbortController()
  let production: Promise<void> | undefined
  let settle = { resolve: () => {}, reject: (_: unknown) => {} }
  const done = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  // Whoever awaits `done` hears of a failure; without a listener it must not end the process on its own.
  done.catch(() => {})

  const pause = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => {})

  /** Saves, and tries again for as long as the system refuses: nothing is mined meanwhile. */
  const save = async (): Promise<number> => {
    for (;;) {
      try {
        return await saveState(rpc, dataDir)
      } catch (error) {
        if (stopping.signal.aborted || !isRefusal(error)) throw error
        log.warn({ error: messageOf(error) }, 'the local chain cannot be saved and waits')
        await pause(quietBlockTimeMs)
      }
    }
  }

  const run = async () => {
    const traffic = createLiveTraffic(rpc, await loadActors(rpc))
    let saved = await save()
    const quietFrom = saved + 2 * FINALITY_DEPTH
    for (let height = saved; !stopping.signal.aborted; ) {
      const isTurn = height <= quietFrom || height % QUIET_TRAFFIC === 0
      if (isTurn && mayTrade()) await traffic.send()
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
      // A chain that was never saved has an unfinished story: the next start begins anew.
      try {
        if (isSaved(dataDir)) await saveState(rpc, dataDir)
      } finally {
        await anvil.stop()
        forgetProcess(dataDir, 'process')
      }
    })()
    stopped.then(settle.resolve, settle.reject)
    return stopped
  }

  anvil.exited.then(() => {
    if (stopping.signal.aborted) return
    stopping.abort()
    forgetProcess(dataDir, 'process')
    settle.reject(
      new RetryableError(
        'ASSAY_DEMO_NODE_SILENT',
        'The local chain ended by itself. Start again; it resumes from its last saved block.',
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
