/** What the local chain keeps on disk: its state, and which process holds the newer one in memory. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { OperatorError } from '../../../platform/errors.ts'
import { createRpc, quantity, type Rpc } from './rpc.ts'

/** `pid` is the node's, `parent` the process that started it. */
const nodeProcess = z.object({ pid: z.number(), parent: z.number(), url: z.string(), genesis: z.string() })
/** The node that runs a chain. Its genesis shows whether what answers at the URL is still that chain. */
export type NodeProcess = z.infer<typeof nodeProcess>

/** Paths of what is kept, in a folder that is made where it is missing. */
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

/** Written whole or not at all: a crash leaves the file as it was. */
export const writeWhole = (path: string, content: string | Uint8Array): void => {
  writeFileSync(`${path}.new`, content, { flush: true })
  renameSync(`${path}.new`, path)
}

/** Saves blocks, receipts and accounts of the chain as it is; returns the height saved. */
export const saveState = async (rpc: Rpc, dataDir: string): Promise<number> => {
  // Only we mine, and not meanwhile: the height belongs to the dump.
  const [height, dump] = await rpc.batch([
    ['eth_blockNumber', []],
    ['anvil_dumpState', [false]],
  ])
  const zipped = z.string().parse(dump).slice(2)
  writeWhole(filesOf(dataDir).saved, Buffer.from(zipped, 'hex'))
  return quantity.parse(height)
}

/** Whether a chain was ever saved. */
export const isSaved = (dataDir: string): boolean => {
  const { state, saved } = filesOf(dataDir)
  return existsSync(saved) || existsSync(state)
}

/** Puts the chain as it was saved last where the node reads it: it is saved as the node zips it, which costs least. */
export const unpackState = (dataDir: string): void => {
  const { state, saved } = filesOf(dataDir)
  if (existsSync(saved)) writeWhole(state, gunzipSync(readFileSync(saved)))
}

/**
 * When the chain's first block was, Unix seconds: `fresh` for a new chain, as written down for one that resumes. anvil
 * makes block 0 anew at every start and dumps all it has made, so another time would be another block 0.
 * @throws OperatorError ASSAY_DEMO_STATE_OLD when a state is there without its time
 */
export const genesisTime = (dataDir: string, fresh: number): number => {
  const { genesis } = filesOf(dataDir)
  if (isSaved(dataDir) && !existsSync(genesis)) {
    throw new OperatorError(
      'ASSAY_DEMO_STATE_OLD',
      `The local chain in ${dataDir} was saved by an older version and cannot be resumed. Nothing was changed. Remove the folder, or set ASSAY_DATA to another.`,
    )
  }
  if (isSaved(dataDir))
    return z.object({ timestamp: z.int() }).parse(JSON.parse(readFileSync(genesis, 'utf8'))).timestamp
  writeWhole(genesis, JSON.stringify({ timestamp: fresh }))
  return fresh
}

/** Hash of block 0, which tells one chain of ours from another. */
export const genesisOf = async (rpc: Rpc): Promise<string> =>
  z.object({ hash: z.string() }).parse(await rpc.call('eth_getBlockByNumber', '0x0', false)).hash

/** The chain of the story, and the one to pay on. */
export type ChainName = 'process' | 'payments'

/** Notes who has the newer state in memory, before it has any. */
export const rememberProcess = (dataDir: string, entry: NodeProcess, chain: ChainName): void =>
  writeWhole(filesOf(dataDir)[chain], JSON.stringify(entry))

/** Takes that note back, after the state was saved. */
export const forgetProcess = (dataDir: string, chain: ChainName): void =>
  rmSync(filesOf(dataDir)[chain], { force: true })

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs, as somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** A node that was written down and still runs. `isKept`: so does the process that started it, which is not this one. */
export const leftRunning = async (
  dataDir: string,
  chain: ChainName,
): Promise<(NodeProcess & { isKept: boolean }) | undefined> => {
  const left = rememberedProcess(dataDir, chain)
  const genesis = left && (await genesisOf(createRpc(left.url, 10_000)).catch(() => undefined))
  // Another one may have its port, or its process id, by now.
  if (!left || genesis !== left.genesis) return undefined
  return { ...left, isKept: left.parent !== process.pid && isRunning(left.parent) }
}

/** The node that was written down last, if any. It may be long gone. */
const rememberedProcess = (dataDir: string, chain: ChainName): NodeProcess | undefined => {
  const path = filesOf(dataDir)[chain]
  if (!existsSync(path)) return undefined
  return nodeProcess.parse(JSON.parse(readFileSync(path, 'utf8')))
}
