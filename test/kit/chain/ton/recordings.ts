/** Recorded blocks of TON, served by a node: verbatim transactions, between synthetic blocks for the other shards. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fixturesFolder } from '../recorded-chain.ts'
import { idOf, type Made, type Master, type PrintedId, type PrintedTransaction, WHOLE } from './chain.ts'
import type { ServedChain } from './node.ts'

/** A recorded block. `account` is `workchain:HEX`. */
export type RecordedTon = {
  id: PrintedId
  gen_utime: number
  start_lt: string
  end_lt: string
  shards: PrintedId[] | null
  transactions: (Omit<PrintedTransaction, 'account'> & { account: string; fee: string; in_value: string | null })[]
}

/** The recordings; `undefined` if there are none. */
export const tonRecordings = (): { blocks: RecordedTon[]; bags: Buffer[] } | undefined => {
  const folder = fixturesFolder('ton')
  if (!folder) return undefined
  const derived = join(folder, 'derived-toncenter-v2')
  const whole = join(folder, 'blocks-boc')
  const list = (path: string, end: string) =>
    existsSync(path)
      ? readdirSync(path)
          .filter((name) => name.endsWith(end))
          .map((name) => join(path, name))
      : []
  return {
    blocks: list(derived, '.json').map((path) => JSON.parse(readFileSync(path, 'utf8')) as RecordedTon),
    bags: list(whole, '.bin').map((path) => readFileSync(path)),
  }
}

/** Default masterchain height at which a recorded block is served. */
const SERVED_AT = 101

const unsigned = (shard: string) => BigInt.asUintN(64, BigInt(shard))
const markOf = (shard: bigint) => shard & -shard

/** Shards that cover the workchain together with one. */
const others = (shard: bigint): bigint[] => {
  const found: bigint[] = []
  for (let own = shard; own !== WHOLE; ) {
    const mark = markOf(own)
    const parent = (own - mark) | (mark << 1n)
    found.push(own === parent - mark ? parent + mark : parent - mark)
    own = parent
  }
  return found
}

const ltOf = (a: { transaction_id: { lt: string } }, b: { transaction_id: { lt: string } }) =>
  Number(BigInt(a.transaction_id.lt) - BigInt(b.transaction_id.lt))

const empty = (id: PrintedId, parents: PrintedId[], time: number): Made => ({
  id,
  parents,
  afterSplit: false,
  afterMerge: false,
  startLt: 0n,
  endLt: 1n,
  time,
  transactions: [],
})

/** A chain in which the masterchain block at a height makes a recorded block final, or is it. */
export const servedRecording = (recorded: RecordedTon, servedAt = SERVED_AT): ServedChain => {
  const { id, gen_utime: time, start_lt, end_lt, transactions } = recorded
  const printed = transactions
    .map((one) => ({ ...one, account: one.account.split(':')[1]!.toLowerCase() }))
    .sort((a, b) => (a.account === b.account ? ltOf(a, b) : a.account < b.account ? -1 : 1))
  const ofMaster = id.workchain === -1
  const blocks = new Map<string, Made>()
  const nameOf = ({ workchain, shard, seqno }: Pick<PrintedId, 'workchain' | 'shard' | 'seqno'>) =>
    `${workchain} ${shard} ${seqno}`
  const below: PrintedId = { ...id, ...idOf(id.workchain, unsigned(id.shard), id.seqno - 1, 'below') }
  const own: Made = {
    ...empty(id, [below], time),
    startLt: BigInt(start_lt),
    endLt: BigInt(end_lt),
    transactions: printed,
  }
  const beside = ofMaster
    ? (recorded.shards ?? [])
    : others(unsigned(id.shard)).map((shard) => idOf(0, shard, 5_000, 'beside'))
  const master = (seqno: number, tips: PrintedId[]): Master => {
    const at = (number: number) => idOf(-1, WHOLE, number, 'master')
    return { ...empty(at(seqno), [at(seqno - 1)], time), tips }
  }
  if (!ofMaster) blocks.set(nameOf(id), own)
  const masters = new Map(
    ofMaster
      ? [
          [id.seqno - 1, { ...master(id.seqno - 1, beside), id: below }],
          [id.seqno, { ...own, tips: beside }],
        ]
      : [
          [servedAt - 1, master(servedAt - 1, [below, ...beside])],
          [servedAt, master(servedAt, [id, ...beside])],
        ],
  )
  return {
    height: () => (ofMaster ? id.seqno : servedAt),
    at: (number) => masters.get(number),
    find: (asked) => blocks.get(nameOf(asked)),
  }
}
