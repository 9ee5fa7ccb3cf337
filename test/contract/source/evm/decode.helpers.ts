import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type AbiEvent, encodeAbiParameters, encodeEventTopics, parseAbiItem } from 'viem'
import { expect } from 'vitest'
import { decodeBlock } from '../../../../indexer/source/evm/decode/index.ts'
import { type RawBlock, type RawLog, rawHeader, rawReceipt } from '../../../../indexer/source/evm/raw.ts'
import { fromCallTracer } from '../../../../indexer/source/evm/traces.ts'
import type { Block, Rows, TableName } from '../../../../schema/block.ts'
import type { Network } from '../../../../schema/networks.ts'
import { registryOf } from '../../../../schema/registry/index.ts'

export const FIXTURES = process.env.ASSAY_FIXTURES ?? resolve(import.meta.dirname, '../../../../../shared/fixtures')
export const haveFixtures = existsSync(join(FIXTURES, 'ethereum'))

// biome-ignore lint/suspicious/noExplicitAny: recorded node answers, read here without our own schemas on purpose
type Json = any

const resultOf = (path: string): Json => {
  const answer = JSON.parse(readFileSync(path, 'utf8'))
  return 'result' in answer ? answer.result : answer
}

export type Recorded = {
  name: string
  network: Network
  raw: RawBlock
  block: Json
  receipts: Json[]
  callTraces?: Json[]
}

const SETS: [folder: string, network: Network][] = [
  ['ethereum', 'ETH'],
  ['polygon', 'POLYGON'],
  ['base/base_goerli', 'BASE'],
  ['haqq/ethermint-cronos', 'HAQQ'],
]

/** Every recorded block that has its whole receipt set beside it, with traces where those were recorded. */
export const recordedBlocks = (): Recorded[] =>
  SETS.flatMap(([folder, network]) => {
    const path = (name: string) => join(FIXTURES, folder, name)
    const numbers = readdirSync(join(FIXTURES, folder)).flatMap(
      (name) => /^eth_getBlockReceipts_(\d+)\.json$/.exec(name)?.[1] ?? [],
    )
    return numbers.flatMap((number): Recorded[] => {
      const blockFile = path(`eth_getBlockByNumber_${number}_true.json`)
      if (!existsSync(blockFile)) return []
      const block = resultOf(blockFile)
      const receipts = resultOf(path(`eth_getBlockReceipts_${number}.json`))
      const traceFile = path(`debug_traceBlockByHash_${number}_callTracer.json`)
      const answered: Json[] | undefined = existsSync(traceFile) ? resultOf(traceFile) : undefined
      // Some recordings keep the bare frames.
      const callTraces = answered?.map((trace) => ('result' in trace ? trace : { result: trace }))
      const hashes = block.transactions.map((transaction: Json) => transaction.hash)
      const raw: RawBlock = {
        block: rawHeader.parse(block),
        receipts: receipts.map((receipt: Json) => rawReceipt.parse(receipt)),
        traces: callTraces && fromCallTracer(callTraces, hashes),
        codes: new Map(),
        tokenMetadata: [],
      }
      return [{ name: `${folder} ${number}`, network, raw, block, receipts, ...(callTraces ? { callTraces } : {}) }]
    })
  })

/** Every recorded receipt set, as a block that leaves its transactions out: logs alone. */
export const receiptSets = (): [name: string, network: Network, raw: RawBlock, receipts: Json[]][] =>
  SETS.flatMap(([folder, network]) =>
    readdirSync(join(FIXTURES, folder))
      .filter((name) => /^eth_getBlockReceipts_\d+\.json$/.test(name))
      .flatMap((name): [string, Network, RawBlock, Json[]][] => {
        const receipts: Json[] = resultOf(join(FIXTURES, folder, name)) ?? []
        if (receipts.length === 0) return []
        const parsed = receipts.map((receipt) => rawReceipt.parse(receipt))
        const { blockHash: hash, blockNumber: number } = receipts[0]
        const block = rawHeader.parse({ number, hash, parentHash: hash, timestamp: '0x0', transactions: [] })
        return [[`${folder} ${name}`, network, { ...blockOf([]), block, receipts: parsed }, receipts]]
      }),
  )

export const SENDER = '0x5e1de2000000000000000000000000000000beef'
const HASH = `0x${'ab'.repeat(32)}`

export type LogSpec = { address: string; topics: readonly string[]; data: string }

const logOf = ({ address, topics, data }: LogSpec, index: number): RawLog => ({
  address,
  topics: [...topics],
  data,
  logIndex: `0x${index.toString(16)}`,
  transactionIndex: '0x0',
  transactionHash: HASH,
  blockHash: HASH,
})

/** A block of one successful transaction that left the given logs. */
export const blockOf = (
  logs: readonly LogSpec[],
  extra: Partial<RawBlock['block']['transactions'][number]> = {},
): RawBlock => ({
  block: rawHeader.parse({
    number: '0xf4240',
    hash: HASH,
    parentHash: HASH,
    timestamp: '0x65000000',
    transactions: [
      {
        hash: HASH,
        transactionIndex: '0x0',
        from: SENDER,
        to: `0x${'c0'.repeat(20)}`,
        input: '0x',
        value: '0x0',
        nonce: '0x1',
        gas: '0x5208',
        gasPrice: '0x1',
        ...extra,
      },
    ],
  }),
  receipts: [
    rawReceipt.parse({
      transactionHash: HASH,
      transactionIndex: '0x0',
      blockHash: HASH,
      status: '0x1',
      gasUsed: '0x5208',
      effectiveGasPrice: '0x1',
      contractAddress: null,
      logs: logs.map(logOf),
    }),
  ],
  traces: undefined,
  codes: new Map(),
  tokenMetadata: [],
})

/** A log as viem encodes it from the human-readable event. `indexed` in the signature decides topics and data. */
export const encodeLog = (address: string, signature: string, args: readonly unknown[]): LogSpec => {
  const event = parseAbiItem(signature) as AbiEvent
  const named = event.inputs.map((input, i) => ({ ...input, name: `a${i}` }))
  const abi = [{ ...event, inputs: named }]
  const indexed = Object.fromEntries(named.flatMap((input, i) => (input.indexed ? [[input.name, args[i]]] : [])))
  const topics = encodeEventTopics({ abi, args: indexed } as unknown as Parameters<typeof encodeEventTopics>[0])
  const plain = named.flatMap((input, i) => (input.indexed ? [] : [{ input, value: args[i] }]))
  const data = encodeAbiParameters(
    plain.map(({ input }) => input),
    plain.map(({ value }) => value),
  )
  return { address, topics: topics as string[], data }
}

export type Decoded = { block: Block; malformed: number }

export const decodeCounted = (network: Network, raw: RawBlock): Decoded => {
  let malformed = 0
  const block = decodeBlock(network, raw, () => {
    malformed += 1
  })
  return { block, malformed }
}

export const A = `0x${'a1'.repeat(20)}`
export const B = `0x${'b2'.repeat(20)}`
export const C = `0x${'c3'.repeat(20)}`
export const TOKEN = `0x${'70'.repeat(20)}`
export const ZERO = `0x${'0'.repeat(40)}`
export const ID = `0x${'1d'.repeat(32)}`
export const BIG = 2n ** 256n - 1n

export const ORACLE = [...registryOf('ETH').sanctionsOracles.keys()][0] ?? ''
export const issuer = (symbol: string, network: Network = 'ETH') =>
  [...registryOf(network).issuers.values()].find((entry) => entry.symbol === symbol)?.address ?? ''
export const V4 = [...registryOf('ETH').dexFactories.values()].find(({ kind }) => kind === 'v4')?.address ?? ''

/** Rows of one table without the columns that say where they stand. */
export const rowsOf = <T extends TableName>(table: T, logs: LogSpec[], network: Network = 'ETH') => {
  const { block, malformed } = decodeCounted(network, blockOf(logs))
  const rows = block.rows[table].map((row: Rows[T]) => {
    const { network: _n, block_number: _b, block_time: _t, ...rest } = row
    const { position: _p, tx_hash: _h, ...own } = rest as Record<string, unknown>
    return own
  })
  return { rows, malformed }
}
export const all = <T extends TableName>(table: T, log: LogSpec, network: Network = 'ETH') => {
  const { rows, malformed } = rowsOf(table, [log], network)
  expect(malformed).toBe(0)
  return rows
}
export const one = <T extends TableName>(table: T, log: LogSpec, network: Network = 'ETH') => {
  const rows = all(table, log, network)
  expect(rows.length).toBe(1)
  return rows[0]
}
export const none = (log: LogSpec, network: Network = 'ETH') => {
  const { block, malformed } = decodeCounted(network, blockOf([log]))
  const { transactions: _t, blocks: _b, ...rest } = block.rows
  expect(Object.values(rest).flat()).toEqual([])
  return malformed
}
