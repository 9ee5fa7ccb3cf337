/** Recorded answers of TRON's nodes: transactions as signed, with the recordings of their execution. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fixturesFolder } from '../recorded-chain.ts'
import { createTronChain, type TronChain } from './chain.ts'
import type { PrintedBlock, PrintedInfo, PrintedTransaction } from './transactions.ts'

type Recorded = PrintedTransaction & {
  ret?: { contractRet?: string; fee?: number }[]
  energy_usage_total?: number
}

const files = (folder: string): string[] =>
  readdirSync(folder)
    .map((name) => join(folder, name))
    .flatMap((path) => (statSync(path).isDirectory() ? files(path) : path.endsWith('.json') ? [path] : []))

const load = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'))

const isHash = (bytes: string, id: string): boolean =>
  createHash('sha256').update(Buffer.from(bytes, 'hex')).digest('hex') === id

/** Every transaction within an answer, in any form, whose bytes match its id. */
const transactionsIn = (value: unknown): Recorded[] => {
  if (typeof value !== 'object' || value === null) return []
  const { txID, raw_data_hex: bytes } = value as Partial<Recorded>
  const own = txID && bytes && isHash(bytes, txID) ? [value as Recorded] : []
  return [...own, ...Object.values(value).flatMap(transactionsIn)]
}

export type TronRecordings = {
  /** Recorded blocks with all their transactions, and those cut by the author. */
  whole: PrintedBlock
  cut: PrintedBlock
  /** Each transaction once. */
  transactions: Recorded[]
  /** Recorded infos: one with a log, one with an internal transaction, one with a map. */
  infos: PrintedInfo[]
}

/** The recordings; `undefined` if there are none. */
export const tronRecordings = (): TronRecordings | undefined => {
  const folder = fixturesFolder('tron')
  if (!folder) return undefined
  const all = files(folder).flatMap((path) => transactionsIn(load(path)))
  const privately = join(folder, 'java-tron-private')
  return {
    whole: load(join(privately, 'getblockbynum_165.json')) as PrintedBlock,
    cut: load(join(folder, 'mainnet', 'getblockbynum_50402262_first7tx.json')) as PrintedBlock,
    transactions: [...new Map(all.map((one) => [one.txID, one])).values()],
    infos: files(privately)
      .filter((path) => path.includes('gettransactioninfobyid'))
      .map((path) => load(path) as PrintedInfo),
  }
}

const PER_BLOCK = 5

/**
 * The recorded transactions verbatim in blocks of a synthetic chain, with new headers. Infos are the recorded ones if there
 * are any, else what was recorded with the transaction itself.
 */
export const relinkedChain = ({ transactions, infos }: TronRecordings): TronChain => {
  const chain = createTronChain()
  const recorded = new Map(infos.map((info) => [info.id, info]))
  for (let from = 0; from < transactions.length; from += PER_BLOCK) {
    // In a block, results hold only the contract's outcome; other services add fields of the infos.
    const plain = transactions.slice(from, from + PER_BLOCK).map((one) => ({
      ...one,
      ret: [{ contractRet: one.ret?.[0]?.contractRet ?? 'SUCCESS' }],
      signature: one.signature ?? [],
    }))
    const block = { blockID: '', block_header: { raw_data: {}, witness_signature: '' }, transactions: plain }
    const own = transactions.slice(from, from + PER_BLOCK).map((one) => {
      const info = recorded.get(one.txID)
      const fee = BigInt(one.ret?.[0]?.fee ?? 0)
      const receipt = { energy_usage_total: BigInt(one.energy_usage_total ?? 0), net_usage: 345 }
      return info ?? { id: one.txID, fee, blockNumber: 0, blockTimeStamp: 0, contractResult: [''], receipt }
    })
    chain.relink(block, own)
  }
  return chain
}
