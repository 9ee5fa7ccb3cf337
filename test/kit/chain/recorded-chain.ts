/** Chains of recorded mainnet answers: unchanged, or repeated into a linked chain of any length. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { keccak256, toHex } from 'viem'
import { headerHash } from '../../../indexer/source/evm/verify/header.ts'
import { createRlpWriter } from '../../../indexer/source/evm/verify/rlp.ts'

/** Folder of recorded answers; `undefined` if there is none. */
export const fixturesFolder = (network: string): string | undefined => {
  const root = process.env.ASSAY_FIXTURES ?? resolve(import.meta.dirname, '../../../../shared/fixtures')
  const folder = join(root, network)
  return existsSync(folder) ? folder : undefined
}

export type RecordedBlock = {
  number: string
  hash: string
  parentHash: string
  transactions: { hash: string }[]
  [field: string]: unknown
}
export type RecordedReceipt = { transactionHash: string; blockHash: string; [field: string]: unknown }

/** A recorded block with the other recordings of it. */
export type Recording = {
  number: number
  block: RecordedBlock
  receipts: RecordedReceipt[] | undefined
  /** By method. */
  traces: Map<string, unknown[]>
}

/** The data of a node. Blocks are identified by hex number, hash or tag. */
export type Chain = {
  chainId: string
  block: (at: string) => RecordedBlock | undefined
  receipts: (at: string) => RecordedReceipt[] | undefined
  receipt: (txHash: string) => RecordedReceipt | undefined
  /** `undefined` if the chain does not offer the method. */
  traces: (method: string, at: string) => unknown[] | null | undefined
  /** The answer as JSON text if available without building objects first (faster). */
  text?: (method: string, params: readonly unknown[]) => string | undefined
}

const resultOf = (file: string): unknown => (JSON.parse(readFileSync(file, 'utf8')) as { result: unknown }).result

/** Reads every block that the folder holds in full, with its recorded receipts and traces. */
export const loadRecordings = (folder: string): Recording[] => {
  const files = readdirSync(folder)
  const full = files.flatMap((file) => {
    const number = /^eth_getBlockByNumber_(\d+)_true\.json$/.exec(basename(file))?.[1]
    return number === undefined ? [] : [{ number: Number(number), file }]
  })
  return full
    .map(({ number, file }) => {
      const receiptsFile = `eth_getBlockReceipts_${number}.json`
      const traceFiles = {
        trace_block: `trace_block_${number}.json`,
        debug_traceBlockByHash: `debug_traceBlockByHash_${number}_callTracer.json`,
        debug_traceBlockByNumber: `debug_traceBlockByNumber_${number}_callTracer.json`,
      }
      return {
        number,
        block: resultOf(join(folder, file)) as RecordedBlock,
        receipts: files.includes(receiptsFile)
          ? (resultOf(join(folder, receiptsFile)) as RecordedReceipt[])
          : undefined,
        traces: new Map(
          Object.entries(traceFiles).flatMap(([method, name]) =>
            files.includes(name) ? [[method, resultOf(join(folder, name)) as unknown[]] as const] : [],
          ),
        ),
      }
    })
    .sort((a, b) => a.number - b.number)
}

/** The recordings as the data of one node: only recorded answers, with gaps. */
export const recordedChain = (recordings: readonly Recording[], chainId = 1): Chain => {
  const byName = new Map<string, Recording>()
  const receiptByTx = new Map<string, RecordedReceipt>()
  for (const recording of recordings) {
    byName.set(toHex(recording.number), recording)
    byName.set(recording.block.hash, recording)
    for (const tag of ['latest', 'finalized']) byName.set(tag, recording)
    for (const receipt of recording.receipts ?? []) receiptByTx.set(receipt.transactionHash, receipt)
  }
  const offered = new Set(recordings.flatMap(({ traces }) => [...traces.keys()]))
  return {
    chainId: toHex(chainId),
    block: (at) => byName.get(at)?.block,
    receipts: (at) => byName.get(at)?.receipts,
    receipt: (hash) => receiptByTx.get(hash),
    traces: (method, at) => (offered.has(method) ? (byName.get(at)?.traces.get(method) ?? null) : undefined),
  }
}

/** A recorded answer, split where a repeated block differs from the recorded one. */
type Template = (string | { value: 'hash' | 'parent' | 'number' | 'time' })[]

const cut = ({ block }: Recording, text: string): Template => {
  const pieces: Template = []
  let done = 0
  for (const found of text.matchAll(/0x[0-9a-f]{64}|"(number|blockNumber|timestamp)":"(0x[0-9a-f]+)"/g)) {
    const [whole, field, value] = found
    const start = field ? found.index + whole.length - 1 - value!.length : found.index
    const end = field ? found.index + whole.length - 1 : found.index + whole.length
    const piece =
      field === 'timestamp'
        ? ({ value: 'time' } as const)
        : field
          ? value === block.number && ({ value: 'number' } as const)
          : whole === block.hash
            ? ({ value: 'hash' } as const)
            : whole === block.parentHash && ({ value: 'parent' } as const)
    if (!piece) continue
    pieces.push(text.slice(done, start), piece)
    done = end
  }
  return [...pieces, text.slice(done)]
}

/** Traces of geth's `callTracer`, recorded by hash; identical by number. */
const callTracesOf = ({ traces }: Recording) =>
  traces.get('debug_traceBlockByHash') ?? traces.get('debug_traceBlockByNumber')

const isCallTrace = (method: string) => /^debug_traceBlockBy(Number|Hash)$/.test(method)

/**
 * A linked chain of `length` blocks that repeats the recordings, from block 1: numbers, parents, times and the hashes that depend
 * on them are new; everything else, transactions and roots included, is as recorded. Built on demand.
 * @param finalDepth number of blocks above the final one
 * @param traced uses only recordings with traces of `callTracer`, and offers these
 */
export const repeatedChain = (
  recordings: readonly Recording[],
  {
    length,
    chainId = 1,
    finalDepth = 64,
    traced = false,
  }: { length: number; chainId?: number; finalDepth?: number; traced?: boolean },
): Chain => {
  const usable = recordings.filter((one) => one.receipts !== undefined && (!traced || callTracesOf(one) !== undefined))
  const recordingOf = (number: number) => usable[(number - 1) % usable.length]!
  const timeOf = (number: number) => toHex(1_600_000_000 + number * 12)
  const writer = createRlpWriter()
  const hashes = [keccak256(toHex('before the first block'))] as string[]
  for (let number = 1; number <= length; number += 1) {
    const own = { number: toHex(number), timestamp: timeOf(number), parentHash: hashes[number - 1] }
    hashes.push(headerHash({ ...recordingOf(number).block, ...own }, writer))
  }
  const numberOf = new Map(hashes.map((hash, number) => [hash, number]))
  const place = (at: string): number | undefined => {
    if (at === 'latest') return length
    if (at === 'finalized') return Math.max(1, length - finalDepth)
    const number = at.length === 66 ? numberOf.get(at) : Number(at)
    return number !== undefined && number >= 1 && number <= length ? number : undefined
  }

  const templates = new Map<unknown, Template>()
  const templateOf = (recording: Recording, part: unknown): Template => {
    const known = templates.get(part) ?? cut(recording, JSON.stringify(part))
    templates.set(part, known)
    return known
  }
  /** JSON text of a part of block `number`. */
  const render = (number: number, pick: (recording: Recording) => unknown): string => {
    const recording = recordingOf(number)
    const values = {
      hash: hashes[number]!,
      parent: hashes[number - 1]!,
      number: toHex(number),
      time: timeOf(number),
    }
    return templateOf(recording, pick(recording))
      .map((piece) => (typeof piece === 'string' ? piece : values[piece.value]))
      .join('')
  }
  const textAt = (name: string, pick: (recording: Recording) => unknown): string | undefined => {
    const number = place(name)
    return number === undefined ? undefined : render(number, pick)
  }
  const at = <T>(name: string, pick: (recording: Recording) => unknown): T | undefined => {
    const text = textAt(name, pick)
    return text === undefined ? undefined : (JSON.parse(text) as T)
  }
  return {
    chainId: toHex(chainId),
    block: (name) => at<RecordedBlock>(name, ({ block }) => block),
    receipts: (name) => at<RecordedReceipt[]>(name, ({ receipts }) => receipts),
    receipt: () => undefined,
    traces: (method, name) =>
      traced && isCallTrace(method) ? (at<unknown[]>(String(name), callTracesOf) ?? null) : undefined,
    text: (method, [name, full]) => {
      if (traced && isCallTrace(method)) return textAt(String(name), callTracesOf)
      if (method === 'eth_getBlockReceipts') return textAt(String(name), ({ receipts }) => receipts)
      const whole = full === true && /^eth_getBlockBy(Number|Hash)$/.test(method)
      return whole ? textAt(String(name), ({ block }) => block) : undefined
    },
  }
}
