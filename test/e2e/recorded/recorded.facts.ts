/**
 * Facts of a recorded block counted from its files alone: by topic, number of topics and raw words, with nothing of the
 * decoder and nothing of the raw-block parser, and the same facts asked of the tables.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { decodeAbiParameters, type Hex, parseAbiParameters, toEventSelector } from 'viem'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { wrappedNative } from '../../../schema/registry/index.ts'
import type { Recording } from '../../kit/chain/recorded-chain.ts'

// biome-ignore lint/suspicious/noExplicitAny: recorded node answers, read here without our own schemas on purpose
type Json = any

export type Facts = {
  /** Hashes of the block and of its parent. */
  links: [string[], string[]]
  /** Count, value offered, succeeded, failed, gas used. */
  transactions: [number, string, number, number, string]
  hashes: string[]
  approvals: [fungible: number, nft: number, all: number]
  creations: string[]
  swaps: number
  owner_changes: number
  fungible: number
  nft: number
  multi: number
  wrap: number
  fungible_amount: string
  wrapped: string
  native: string
  internal: string
}

const CRYPTO_KITTIES = '0x06012c8cf97bead5deae237070f9587f8e7a266d'
const TOPIC = {
  transfer: toEventSelector('Transfer(address,address,uint256)'),
  single: toEventSelector('TransferSingle(address,address,address,uint256,uint256)'),
  batch: toEventSelector('TransferBatch(address,address,address,uint256[],uint256[])'),
  deposit: toEventSelector('Deposit(address,uint256)'),
  withdrawal: toEventSelector('Withdrawal(address,uint256)'),
  approval: toEventSelector('Approval(address,address,uint256)'),
  approvalForAll: toEventSelector('ApprovalForAll(address,address,bool)'),
  swapV2: toEventSelector('Swap(address,uint256,uint256,uint256,uint256,address)'),
  swapV3: toEventSelector('Swap(address,address,int256,int256,uint160,uint128,int24)'),
  swapBalancer: toEventSelector('Swap(bytes32,address,address,uint256,uint256)'),
  exchangeStable: toEventSelector('TokenExchange(address,int128,uint256,int128,uint256)'),
  exchangeCrypto: toEventSelector('TokenExchange(address,uint256,uint256,uint256,uint256)'),
  owner: toEventSelector('OwnershipTransferred(address,address)'),
}

const sum = (values: readonly (string | bigint | undefined)[]) =>
  values.reduce<bigint>((total, value) => total + BigInt(value ?? 0), 0n)

/** Indexed and plain arguments as one list of words, however old contracts split them. */
const wordsOf = ({ topics, data }: Json): string[] => [
  ...topics.slice(1),
  ...(data.slice(2).match(/.{64}/g) ?? []).map((word: string) => `0x${word}`),
]

const logFacts = (network: Network, logs: readonly Json[]) => {
  const by = (topic: string) => logs.filter((log) => log.topics[0] === topic && wordsOf(log).length >= 2)
  const whole = (log: Json) => log.topics.length === 4 || log.address.toLowerCase() === CRYPTO_KITTIES
  const transfers = by(TOPIC.transfer).filter((log) => wordsOf(log).length === 3)
  const fungible = transfers.filter((log) => !whole(log))
  const wrapper = wrappedNative(network)?.address
  const wraps = [...by(TOPIC.deposit), ...by(TOPIC.withdrawal)].filter(({ address }) => address === wrapper)
  const batches = by(TOPIC.batch).map(({ data }) => {
    const [ids] = decodeAbiParameters(parseAbiParameters('uint256[], uint256[]'), data as Hex)
    return new Set(ids).size
  })
  const approvals = by(TOPIC.approval).filter((log) => wordsOf(log).length === 3)
  return {
    fungible: fungible.length,
    fungible_amount: String(sum(fungible.map((log) => wordsOf(log)[2]))),
    nft: transfers.length - fungible.length,
    multi: by(TOPIC.single).length + batches.reduce((total, size) => total + size, 0),
    wrap: wraps.length,
    wrapped: String(sum(wraps.map((log) => wordsOf(log)[1]))),
    approvals: [
      approvals.filter(({ topics }) => topics.length !== 4).length,
      approvals.filter(({ topics }) => topics.length === 4).length,
      by(TOPIC.approvalForAll).length,
    ] as [number, number, number],
    swaps: [TOPIC.swapV2, TOPIC.swapV3, TOPIC.swapBalancer, TOPIC.exchangeStable, TOPIC.exchangeCrypto].reduce(
      (total, topic) => total + by(topic).length,
      0,
    ),
    owner_changes: by(TOPIC.owner).length,
  }
}

type Inner = { value: bigint; created?: string }

/** Frames below the transactions' own that were not reverted, from either kind of recorded trace; undefined without one. */
const innerFrames = ({ traces }: Recording): Inner[] | undefined => {
  const flat = traces.get('trace_block') as Json[] | undefined
  if (flat) {
    const failed = flat.filter(({ error }) => error)
    const below = (trace: Json) =>
      failed.some(
        (one) =>
          one.transactionHash === trace.transactionHash &&
          one.traceAddress.every((step: number, index: number) => trace.traceAddress[index] === step),
      )
    return flat
      .filter((trace) => trace.type !== 'reward' && trace.traceAddress.length > 0 && !below(trace))
      .filter(({ type, action }) => type !== 'call' || action.callType === 'call')
      .map(({ type, action, result }) => ({
        value: BigInt(action.value ?? action.balance ?? 0),
        ...(type === 'create' ? { created: result.address } : {}),
      }))
  }
  const answers = (traces.get('debug_traceBlockByHash') ?? traces.get('debug_traceBlockByNumber')) as Json[] | undefined
  if (!answers) return undefined
  const found: Inner[] = []
  const walk = (frame: Json, depth: number) => {
    if (frame.error) return
    if (depth > 0 && ['CALL', 'CREATE', 'CREATE2', 'SELFDESTRUCT'].includes(frame.type)) {
      const created = frame.type.startsWith('CREATE') ? { created: frame.to } : {}
      found.push({ value: BigInt(frame.value ?? 0), ...created })
    }
    for (const call of frame.calls ?? []) walk(call, depth + 1)
  }
  for (const answer of answers) walk(answer.result ?? answer, 0)
  return found
}

/** Whether each transaction took effect: by status, before Byzantium by its root frame or by gas left over. */
const workedIn = (recording: Recording, byHash: ReadonlyMap<string, Json>) => (transaction: Json, index: number) => {
  const receipt = byHash.get(transaction.hash)
  if (!receipt) return false
  if (receipt.status) return BigInt(receipt.status) === 1n
  const answers = [...recording.traces].find(([method]) => method.startsWith('debug_'))?.[1] as Json[] | undefined
  const root = answers?.[index]
  if (root) return !(root.result ?? root).error
  return BigInt(receipt.gasUsed) < BigInt(transaction.gas) || BigInt(transaction.gas) === 21_000n
}

/** Facts of a recorded block. Without receipts nothing is known to have taken effect. */
export const factsOf = (network: Network, recording: Recording): Facts => {
  const block = recording.block as Json
  const receipts = (recording.receipts ?? []) as Json[]
  const byHash = new Map(receipts.map((receipt) => [receipt.transactionHash, receipt]))
  const working = block.transactions.filter(workedIn(recording, byHash))
  const inner = innerFrames(recording)
  const direct = working.flatMap(({ hash, to }: Json) => (to ? [] : [byHash.get(hash).contractAddress]))
  const statuses = receipts.map(({ status }) => status && Number(status))
  const deposits = block.transactions.map(({ mint }: Json) => mint)
  return {
    links: [[block.hash], [block.parentHash]],
    transactions: [
      block.transactions.length,
      String(sum(block.transactions.map(({ value }: Json) => value))),
      statuses.filter((status) => status === 1).length,
      statuses.filter((status) => status === 0).length,
      String(sum(receipts.map(({ gasUsed }) => gasUsed))),
    ],
    hashes: block.transactions.map(({ hash }: Json) => hash).sort(),
    creations: [...direct, ...(inner ?? []).flatMap(({ created }) => created ?? [])].sort(),
    native: String(sum(working.map(({ value }: Json) => value)) + sum(deposits)),
    internal: String(sum((inner ?? []).map(({ value }) => value))),
    ...logFacts(
      network,
      receipts.flatMap(({ logs }) => logs),
    ),
  }
}

const SQL = readFileSync(join(import.meta.dirname, 'recorded.facts.sql'), 'utf8')

/** The same facts as SQL over the `*_all` views tells them. @throws Error when movements lack one of their two sides. */
export const storedFacts = async (store: Store, network: Network, number: number): Promise<Facts> => {
  const [row] = await store.query<Facts & { received: number; given: number }>(SQL, { network, number })
  if (!row) throw new Error(`no answer about block ${number}`)
  const { received, given, ...facts } = row
  if (received !== given) throw new Error(`block ${number}: ${received} received, ${given} given`)
  return facts
}
