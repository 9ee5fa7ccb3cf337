/**
 * Shards: parts of a workchain's address space, each with its own blocks. A shard id is the prefix of its accounts, then a one,
 * then zeros. Source: TON blockchain whitepaper ("tblkch.pdf", section 1.1).
 */
import { RpcInconsistent } from '../../../platform/rpc/errors.ts'
import type { BlockHeader, BlockId } from './raw.ts'

const ALL = 1n << 64n

/** The bit that ends a shard's prefix. */
const markOf = (shard: bigint): bigint => shard & -shard
const bitsOf = (shard: string): bigint => BigInt(`0x${shard}`)
const spell = (shard: bigint): string => shard.toString(16).padStart(16, '0')

const parentOf = (shard: string): string => {
  const value = bitsOf(shard)
  const mark = markOf(value)
  return spell(((value - mark) | (mark << 1n)) & (ALL - 1n))
}

const childrenOf = (shard: string): readonly [string, string] => {
  const value = bitsOf(shard)
  const half = markOf(value) >> 1n
  return [spell(value - half), spell(value + half)]
}

const rangeOf = (shard: string): { from: bigint; to: bigint } => {
  const value = bitsOf(shard)
  const mark = markOf(value)
  return { from: value - mark, to: value + mark }
}

/** Whether an account (64 hex digits) belongs to a shard. */
export const holds = (shard: string, account: string): boolean => {
  const { from, to } = rangeOf(shard)
  const start = BigInt(`0x${account.slice(0, 16)}`)
  return start >= from && start < to
}

const overlap = (one: string, other: string): boolean => {
  const [a, b] = [rangeOf(one), rangeOf(other)]
  return a.from < b.to && b.from < a.to
}

/** A block's name in errors and logs, without its hash. */
export const nameOf = ({ workchain, shard, seqno }: BlockId): string => `(${workchain},${shard},${seqno})`
/** Unique key of a block, also among blocks of the same height. */
export const keyOf = ({ workchain, shard, seqno, root_hash }: BlockId): string =>
  `${workchain}:${shard}:${seqno}:${root_hash}`

/** Checks that the newest blocks of shards cover whole workchains, without gap or overlap. @throws RpcInconsistent */
export const verifyTips = (tips: readonly BlockId[]): void => {
  for (const workchain of new Set(tips.map((tip) => tip.workchain))) {
    const own = tips.filter((tip) => tip.workchain === workchain).map(({ shard }) => rangeOf(shard))
    own.sort((a, b) => (a.from < b.from ? -1 : 1))
    let reached = 0n
    for (const { from, to } of own) {
      if (from !== reached) throw new RpcInconsistent('shards', `workchain ${workchain} has a gap or an overlap`)
      reached = to
    }
    if (reached !== ALL) throw new RpcInconsistent('shards', `workchain ${workchain} lacks its last shard`)
  }
  if (!tips.some(({ workchain }) => workchain === 0))
    throw new RpcInconsistent('shards', 'no shard of the base workchain')
}

/** Checks that the parents are possible: the block below, the one it was split from, or both it was merged from. */
export const verifyParents = ({ id, prev_blocks: parents, after_merge, after_split }: BlockHeader): void => {
  const refuse = (what: string) => new RpcInconsistent('parents', `block ${nameOf(id)} ${what}`)
  const highest = Math.max(...parents.map(({ seqno }) => seqno))
  if (parents.some(({ workchain }) => workchain !== id.workchain)) throw refuse('has a parent of another workchain')
  if (highest + 1 !== id.seqno) throw refuse(`follows ${parents.map(nameOf).join(' and ') || 'nothing'}`)
  const shards = parents.map(({ shard }) => shard).sort()
  const [first] = shards
  if (shards.length === 1 && !after_merge && first === (after_split ? parentOf(id.shard) : id.shard)) return
  const children = [...childrenOf(id.shard)].sort()
  if (after_merge && shards.length === 2 && shards.every((shard, index) => shard === children[index])) return
  throw refuse('has parents that it cannot have')
}

/** Maximum number of blocks between two masterchain blocks; with more, the masterchain would have stood still for minutes. */
const MAX_WALK = 4_096

/**
 * Walks from the newest shard blocks back to those of the previous masterchain block, through splits and merges, without leaving
 * out a block.
 * @param headersOf headers of blocks, in order.
 * @throws RpcInconsistent when the walk misses one of the known tips, or passes one.
 */
export const walkShards = async (
  tips: readonly BlockId[],
  known: readonly BlockId[],
  headersOf: (ids: readonly BlockId[]) => Promise<readonly BlockHeader[]>,
): Promise<BlockHeader[]> => {
  const reached = new Map(known.map((tip) => [keyOf(tip), false]))
  const passed = (id: BlockId) =>
    known.some((tip) => tip.workchain === id.workchain && id.seqno <= tip.seqno && overlap(tip.shard, id.shard))
  const found = new Map<string, BlockHeader>()
  let frontier = [...tips]
  while (frontier.length > 0) {
    const fresh = new Map<string, BlockId>()
    for (const id of frontier) {
      const key = keyOf(id)
      if (reached.has(key)) reached.set(key, true)
      // The first block of a workchain has no transactions.
      else if (id.seqno > 0 && !found.has(key)) fresh.set(key, id)
    }
    for (const id of fresh.values()) {
      if (passed(id)) throw new RpcInconsistent('shard_walk', `block ${nameOf(id)} is no descendant of what was known`)
    }
    const headers = await headersOf([...fresh.values()])
    for (const header of headers) {
      verifyParents(header)
      found.set(keyOf(header.id), header)
    }
    if (found.size > MAX_WALK) throw new RpcInconsistent('shard_walk', `more than ${MAX_WALK} blocks of shards`)
    frontier = headers.flatMap(({ prev_blocks }) => prev_blocks)
  }
  const missed = known.find((tip) => !reached.get(keyOf(tip)))
  if (missed) throw new RpcInconsistent('shard_walk', `block ${nameOf(missed)} was known and is in no chain any more`)
  return [...found.values()]
}
