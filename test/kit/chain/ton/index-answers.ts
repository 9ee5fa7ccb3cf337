/**
 * Answers of an index of version 3 for the same chain: blocks by masterchain block, parents by number, transactions as fields. Has the
 * same faults as the node beside it.
 */
import type { Made, Master, PrintedId, PrintedTransaction } from './chain.ts'
import { printPlace, printTransaction } from './print-transaction.ts'
import type { ServedChain, TonFaults } from './served.ts'

const MAX_PAGE = 1_000

/** Answer of a path, with its status. */
export type IndexAnswer = { status: number; body: unknown }

const nameOf = ({ workchain, shard, seqno }: PrintedId) => `${workchain} ${shard} ${seqno}`

type Printed = ReturnType<typeof printTransaction>
/** Printed transactions, cached: the same ones are requested repeatedly, and hashing their cells takes long. */
const printed = new WeakMap<PrintedTransaction, Printed>()
const printOnce = (one: PrintedTransaction, block: PrintedId): Printed => {
  const known = printed.get(one)
  if (known) return known
  const made = printTransaction(Buffer.from(one.data, 'base64'), block)
  printed.set(one, made)
  return made
}

export const createIndexAnswers = ({
  chain,
  masterAt,
  now,
  lies,
  asked,
  globalId,
}: {
  chain: ServedChain
  /** A masterchain block that the node has, else `undefined`. */
  masterAt: (seqno?: number) => Master | undefined
  now: () => TonFaults
  lies: (chance: number | undefined) => boolean
  asked: number[]
  globalId: number
}) => {
  const made = (id: PrintedId): Made =>
    chain.find(id) ?? {
      id,
      parents: [{ ...id, seqno: id.seqno - 1 }],
      afterSplit: false,
      afterMerge: false,
      startLt: 0n,
      endLt: 1n,
      time: 1,
      transactions: [],
    }
  /** All transactions of a block without one that is followed by another of its account. */
  const shownOf = ({ transactions: all }: Made) => {
    const place = now().hides ? all.findIndex((one, index) => all[index + 1]?.account === one.account) : -1
    return all.filter((_, index) => index !== place)
  }
  /** The block, and shard blocks since the previous masterchain block. */
  const madeBy = (seqno: number): Made[] => {
    const master = masterAt(seqno)
    if (!master) return []
    const before = new Set((chain.at(seqno - 1)?.tips ?? []).map(nameOf))
    const found = new Map<string, Made>()
    const frontier = [...master.tips]
    for (let id = frontier.pop(); id; id = frontier.pop()) {
      if (before.has(nameOf(id)) || found.has(nameOf(id)) || id.seqno <= 0) continue
      const own = made(id)
      found.set(nameOf(id), own)
      frontier.push(...own.parents)
    }
    return [master, ...found.values()]
  }
  const printBlock = (block: Made) => {
    const { id, parents, afterMerge, afterSplit, startLt, endLt, time } = block
    let named = parents
    const [one] = parents
    if (one && id.workchain === 0 && lies(now().skipsBlock)) named = chain.find(one)?.parents ?? parents
    if (parents.length === 2 && lies(now().oneParent)) named = parents.slice(0, 1)
    const many = one && id.workchain === 0 && lies(now().manyParents)
    return {
      ...printPlace(id),
      root_hash: id.root_hash,
      file_hash: id.file_hash,
      global_id: globalId,
      after_merge: afterMerge,
      after_split: afterSplit,
      before_split: false,
      key_block: false,
      gen_utime: `${time}`,
      start_lt: `${startLt}`,
      end_lt: `${endLt}`,
      tx_count: shownOf(block).length,
      prev_blocks: many ? new Array(150_000).fill(printPlace(one)) : named.map(printPlace),
    }
  }
  const page = <T>(all: readonly T[], params: URLSearchParams): T[] => {
    const [limit, offset] = [
      Number(params.get('limit') ?? 10),
      now().repeatsPages ? 0 : Number(params.get('offset') ?? 0),
    ]
    return all.slice(offset, offset + Math.min(limit, MAX_PAGE))
  }
  const shown = (some: readonly Made[]) => ({ blocks: some.map(printBlock) })
  const forge = (one: Printed) => ({
    ...one,
    total_fees: `${BigInt(one.total_fees!) + 1n}`,
  })

  const transactions = (params: URLSearchParams): IndexAnswer => {
    const seqno = Number(params.get('seqno'))
    if (!masterAt(seqno)) return { status: 404, body: { error: `masterchain block ${seqno} not found` } }
    asked.push(seqno)
    if (now().insteadOfTransactions !== undefined) return { status: 200, body: now().insteadOfTransactions }
    const blocks = madeBy(lies(now().otherBlock) ? seqno - 1 : seqno)
    let all = blocks
      .flatMap((block) => shownOf(block).map((one) => printOnce(one, block.id)))
      .sort((a, b) => (BigInt(a.lt!) < BigInt(b.lt!) ? -1 : 1))
    if (lies(now().cutTransactions)) all = all.filter((_, index) => index !== Math.floor(all.length / 2))
    if (lies(now().forgedTransaction)) all = all.map((one, index) => (index === 0 ? forge(one) : one))
    return { status: 200, body: { transactions: page(all, params), address_book: {} } }
  }

  const PATHS: Record<string, (params: URLSearchParams) => IndexAnswer> = {
    masterchainInfo: () => {
      const last = masterAt()
      if (!last) return { status: 500, body: { error: 'no rows in result set' } }
      const printed = printBlock(last)
      return { status: 200, body: { last: { ...printed, root_hash: now().newestHash ?? printed.root_hash } } }
    },
    masterchainBlockShardState: (params) => {
      const tips = masterAt(Number(params.get('seqno')))?.tips ?? []
      const some = lies(now().lacksShard) ? tips.slice(1) : tips
      if (some.length === 0) return { status: 404, body: { error: 'blocks not found' } }
      const renamed = lies(now().renamesTips) ? { root_hash: Buffer.alloc(32, 0xab).toString('base64') } : {}
      return { status: 200, body: { blocks: some.map((id) => ({ ...printBlock(made(id)), ...renamed })) } }
    },
    blocks: (params) => {
      const seqno = Number(params.get('mc_seqno'))
      return { status: 200, body: shown(page(madeBy(lies(now().older) ? seqno - 1 : seqno), params)) }
    },
    transactionsByMasterchainBlock: transactions,
  }
  return (path: string, params: URLSearchParams): IndexAnswer =>
    PATHS[path]?.(params) ?? { status: 404, body: `Cannot GET /api/v3/${path}` }
}
