/** Files of the local chain: its saved state, and the running node that has the newest state in memory. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { OperatorError } from '../../../platform/errors.ts'
import { createRpc, quantity, type Rpc } from './rpc.ts'

/** `pid`: process of the node; `parent`: the process that started it. */
const nodeProcess = z.object({ pid: z.number(), parent: z.number(), url: z.string(), genesis: z.string() })
/** A node that runs a chain. The genesis hash shows whether the node at the URL still runs that chain. */
export type NodeProcess = z.infer<typeof nodeProcess>

/** Paths of the files. Creates the folder if it is missing. */
export const filesOf = (dataDir: string) => {
  const folder = join(dataDir, 'devnet')
  mkdirSync(folder, { recursive: true })
  return {
    state: join(folder, 'state.json'),
    saved: join(folder, 'state.json.gz'),
    process: join(folder, 'process.json'),
    payments: join(folder, 'payments.json'),
    genesis: join(folder, 'genesis.json'),
    scenario: join(dataDir, 'scenario.json'),
  }
}

/** Replaces a file atomically: a crash leaves the old content. */
export const writeAtomic = (path: string, content: string | Uint8Array): void => {
  writeFileSync(`${path}.new`, content, { flush: true })
  renameSync(`${path}.new`, path)
}

/** Saves blocks, receipts and accounts of the chain. Returns the saved height. */
export const saveState = async (rpc: Rpc, dataDir: string): Promise<number> => {
  // No block is mined during the batch, so the height is that of the dump.
  const [height, dump] = await rpc.batch([
    ['eth_blockNumber', []],
    ['anvil_dumpState', [false]],
  ])
  const zipped = z.string().parse(dump).slice(2)
  writeAtomic(filesOf(dataDir).saved, Buffer.from(zipped, 'hex'))
  return quantity.parse(height)
}

/** Whether a chain was saved. */
export const isSaved = (dataDir: string): boolean => {
  const { state, saved } = filesOf(dataDir)
  return existsSync(saved) || existsSync(state)
}

/** Unpacks the last saved state into the file that the node loads. The node dumps its state gzipped. */
export const unpackState = (dataDir: string): void => {
  const { state, saved } = filesOf(dataDir)
  if (existsSync(saved)) writeAtomic(state, gunzipSync(readFileSync(saved)))
}

/**
 * Time of block 0, Unix seconds: `fresh` for a new chain, the recorded time for a resumed one. anvil creates block 0 again
 * at every start, so another time would result in another block 0.
 * @throws OperatorError ASSAY_DEMO_STATE_OLD if a saved state has no recorded time
 */
export const genesisTime = (dataDir: string, fresh: number): number => {
  const { genesis } = filesOf(dataDir)
  if (isSaved(dataDir) && !existsSync(genesis)) {
    throw new OperatorError(
      'ASSAY_DEMO_STATE_OLD',
      `The local chain in ${dataDir} was saved by an older version and cannot be resumed. Nothing was changed. Remove the folder, or set ASSAY_DATA to another one.`,
    )
  }
  if (isSaved(dataDir))
    return z.object({ timestamp: z.int() }).parse(JSON.parse(readFileSync(genesis, 'utf8'))).timestamp
  writeAtomic(genesis, JSON.stringify({ timestamp: fresh }))
  return fresh
}

/** Hash of block 0, which identifies a chain. */
export const genesisOf = async (rpc: Rpc): Promise<string> =>
  z.object({ hash: z.string() }).parse(await rpc.call('eth_getBlockByNumber', '0x0', false)).hash

/** File of the chain of the scenario, or of the payment chain. */
export type ChainName = 'process' | 'payments'

/** Records the running node of a chain. */
export const saveProcess = (dataDir: string, entry: NodeProcess, chain: ChainName): void =>
  writeAtomic(filesOf(dataDir)[chain], JSON.stringify(entry))

/** Removes the record of the running node. */
export const deleteProcess = (dataDir: string, chain: ChainName): void =>
  rmSync(filesOf(dataDir)[chain], { force: true })

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process runs as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** The recorded node if it still runs. `parentIsRunning`: whether the process that started it, other than this one, also runs. */
export const findRunningNode = async (
  dataDir: string,
  chain: ChainName,
): Promise<(NodeProcess & { parentIsRunning: boolean }) | undefined> => {
  const left = savedProcess(dataDir, chain)
  const genesis = left && (await genesisOf(createRpc(left.url, 10_000)).catch(() => undefined))
  // Another process may use its port or process ID by now.
  if (!left || genesis !== left.genesis) return undefined
  return { ...left, parentIsRunning: left.parent !== process.pid && isRunning(left.parent) }
}

/** The recorded node, which may no longer run. */
const savedProcess = (dataDir: string, chain: ChainName): NodeProcess | undefined => {
  const path = filesOf(dataDir)[chain]
  if (!existsSync(path)) return undefined
  return nodeProcess.parse(JSON.parse(readFileSync(path, 'utf8')))
}
