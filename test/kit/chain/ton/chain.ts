/**
 * A synthetic TON chain: a masterchain and shards that split and merge, with several shard blocks per masterchain block. Cells and
 * hashes of transactions are correct; block hashes are invented, as they cannot be checked from the answers of nodes.
 */
import { createHash } from 'node:crypto'
import { type TonTx, transactionCell } from './transactions.ts'

/** A block id as in nodes. Hashes in base64, the shard in decimals. */
export type PrintedId = {
  '@type': 'ton.blockIdExt'
  workchain: number
  shard: string
  seqno: number
  root_hash: string
  file_hash: string
}
export type PrintedTransaction = {
  '@type': 'raw.transaction'
  utime: number
  data: string
  transaction_id: { '@type': 'internal.transactionId'; lt: string; hash: string }
  /** Account as hex without workchain: position after which a page begins. */
  account: string
}
/** A block of a shard or of the masterchain. */
export type Made = {
  id: PrintedId
  parents: PrintedId[]
  afterSplit: boolean
  afterMerge: boolean
  startLt: bigint
  endLt: bigint
  time: number
  transactions: PrintedTransaction[]
}
export type Master = Made & { tips: PrintedId[] }

export type TonChain = {
  /** Adds masterchain blocks, each with transactions; all in shards of the base workchain. */
  mine: (...blocks: readonly (readonly TonTx[])[]) => void
  /** From the next block on, splits a shard or merges two. */
  split: (shard: bigint) => void
  merge: (shard: bigint) => void
  /** Number of blocks each shard makes per masterchain block. @default 1 */
  pace: (blocks: number) => void
  /** Lets time pass before the next block, s. */
  wait: (seconds: number) => void
  /** From the next block on, the chain differs from one created in the same way. */
  part: () => void
  height: () => number
  at: (number: number) => Master | undefined
  /** Any block by workchain, shard and number. */
  find: (id: Pick<PrintedId, 'workchain' | 'shard' | 'seqno'>) => Made | undefined
  hashAt: (number: number) => string
}

export const WHOLE = 1n << 63n
/** Hashes of the main network's initial state, as its nodes report it. */
export const ZERO_STATE = {
  root_hash: 'F6OpKZKqvqeFp6CQmFomXNMfMj2EnaUSOXN+Mh+wVWk=',
  file_hash: 'XplPz01CXAps5qeSWUtxcyBfdAo5zVb1N979KLSKD24=',
}
const FULL = (1n << 64n) - 1n
const MASTERCHAIN = -1
const CONFIG = `-1:${'5'.repeat(64)}`
const LT_STEP = 1_000_000n

export const printShard = (shard: bigint): string => BigInt.asIntN(64, shard).toString()
const digest = (text: string): string => createHash('sha256').update(text).digest('base64')
const markOf = (shard: bigint): bigint => shard & -shard
/** The two shards that one splits into. */
export const halves = (shard: bigint): [bigint, bigint] => [
  shard - (markOf(shard) >> 1n),
  shard + (markOf(shard) >> 1n),
]
const covers = (shard: bigint, account: string): boolean => {
  const start = BigInt(`0x${account.split(':')[1]!.slice(0, 16)}`)
  return start >= shard - markOf(shard) && start <= ((shard + markOf(shard) - 1n) & FULL)
}
const nameOf = ({ workchain, shard, seqno }: Pick<PrintedId, 'workchain' | 'shard' | 'seqno'>) =>
  `${workchain}:${shard}:${seqno}`

export const idOf = (workchain: number, shard: bigint, seqno: number, salt: string): PrintedId => ({
  '@type': 'ton.blockIdExt',
  workchain,
  shard: printShard(shard),
  seqno,
  root_hash: digest(`root ${workchain} ${shard} ${seqno} ${salt}`),
  file_hash: digest(`file ${workchain} ${shard} ${seqno} ${salt}`),
})

export const createTonChain = ({ from = 1_767_225_600 }: { from?: number } = {}): TonChain => {
  const masters: Master[] = []
  const blocks = new Map<string, Made>()
  const accounts = new Map<string, { hash: string; lt: bigint; active: boolean }>()
  let shards = new Map<bigint, PrintedId[]>()
  let perShard = 1
  let delay = 0
  let lt = 1_000n * LT_STEP

  const add = (made: Made): Made => {
    blocks.set(nameOf(made.id), made)
    return made
  }
  const run = (tx: TonTx, time: number): PrintedTransaction => {
    lt += 1n
    const before = accounts.get(tx.account)
    const cell = transactionCell(tx, before, lt, time)
    const hash = cell.hash()
    const active = before?.active === true || tx.result !== 'skipped'
    accounts.set(tx.account, { hash: hash.toString('hex'), lt, active })
    return {
      '@type': 'raw.transaction',
      utime: time,
      data: cell.toBoc().toString('base64'),
      transaction_id: { '@type': 'internal.transactionId', lt: lt.toString(), hash: hash.toString('base64') },
      account: tx.account.split(':')[1]!,
    }
  }
  const make = (workchain: number, shard: bigint, parents: PrintedId[], txs: readonly TonTx[], time: number): Made => {
    lt = (lt / LT_STEP + 1n) * LT_STEP
    const startLt = lt
    const seqno = Math.max(...parents.map((parent) => parent.seqno)) + 1
    const printed = txs.map((tx) => run(tx, time))
    // In the order of nodes: by account, then by time.
    printed.sort((a, b) => (a.account < b.account ? -1 : a.account > b.account ? 1 : 0))
    lt += 1n
    return add({
      id: idOf(workchain, shard, seqno, `${startLt}`),
      parents,
      afterSplit: parents.length === 1 && parents[0]!.shard !== printShard(shard),
      afterMerge: parents.length === 2,
      startLt,
      endLt: lt,
      time,
      transactions: printed,
    })
  }

  const zero: PrintedId = { ...idOf(MASTERCHAIN, WHOLE, 0, ''), ...ZERO_STATE }
  masters.push({
    ...add({
      id: zero,
      parents: [],
      afterSplit: false,
      afterMerge: false,
      startLt: 0n,
      endLt: 1n,
      time: from,
      transactions: [],
    }),
    tips: [],
  })
  shards = new Map([[WHOLE, [idOf(0, WHOLE, 0, 'zero state')]]])

  const mineOne = (txs: readonly TonTx[]) => {
    const number = masters.length
    const time = from + number + delay
    const left = [...txs]
    for (const [shard, parents] of shards) {
      const own = left.filter(({ account }) => account.startsWith('0:') && covers(shard, account))
      for (let step = 0; step < perShard; step += 1) {
        // An account's transactions stay in their order: each block takes the next share.
        const share = own.slice(
          Math.floor((own.length * step) / perShard),
          Math.floor((own.length * (step + 1)) / perShard),
        )
        const made = make(0, shard, shards.get(shard)!, share, time)
        shards.set(shard, [made.id])
      }
      void parents
    }
    const system = txs.filter(({ account }) => account.startsWith('-1:'))
    const tick: TonTx = { account: CONFIG, tick: true, fees: 0n }
    const made = make(MASTERCHAIN, WHOLE, [masters[number - 1]!.id], [tick, ...system], time)
    masters.push({ ...made, tips: [...shards.values()].map(([tip]) => tip!) })
  }

  return {
    mine: (...added) => {
      for (const txs of added) mineOne(txs)
    },
    split: (shard) => {
      const tip = shards.get(shard)!
      shards.delete(shard)
      for (const half of halves(shard)) shards.set(half, tip)
    },
    merge: (shard) => {
      const [low, high] = halves(shard)
      shards.set(shard, [...shards.get(low)!, ...shards.get(high)!])
      shards.delete(low)
      shards.delete(high)
    },
    pace: (count) => {
      perShard = count
    },
    wait: (seconds) => {
      delay += seconds
    },
    part: () => {
      lt += LT_STEP
    },
    height: () => masters.length - 1,
    at: (number) => masters[number],
    find: (id) => blocks.get(nameOf(id)),
    hashAt: (number) => Buffer.from(masters[number]!.id.root_hash, 'base64').toString('hex'),
  }
}
