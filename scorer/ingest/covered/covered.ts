/**
 * Tracks which blocks of a network are in the final tables and which are being inserted (table `covered_ranges`). Chunks and moves
 * claim blocks before they insert them and cover them once every table has acknowledged. So a block that arrives twice, at any
 * offsets, is inserted once.
 *
 * Every change is a compare-and-set: its token contains the next version of the network's ranges, and it is retried if another consumer
 * was faster. A crash between claim and cover leaves the claim, which the repetition finds.
 */
import { OperatorError, RetryableError } from '../../../platform/errors.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { createLock } from '../lock.ts'
import { reindexBase } from '../repair.ts'
import { BrokenLink, holds, type Linked, type Range, withBlocks } from './ranges.ts'
import { changedSlots, type Slot, type SlotRow, slotOf } from './slots.ts'

const SLOTS = readSql(import.meta.url, './sql/slots.sql')
const INSERTS = readSql(import.meta.url, './sql/inserts.sql')
const BLOCK_HASHES = readSql(import.meta.url, './sql/block-hashes.sql')

/** Maximum number of attempts at a change while others make changes. */
const ATTEMPTS = 200

/** Result of a claim. */
type Claim = {
  /** Block numbers to insert: those that are not covered yet. */
  take: ReadonlySet<number>
  /** Number of inserts on all networks since the blocks were first claimed; 0 for a new claim. */
  inserts: number
  /** The name that holds the claim. */
  by: string
}

/** The covered ranges of a network in one epoch. */
export type Covered = {
  /** Ranges in the final tables, ascending. */
  ranges: () => Promise<Range[]>
  /**
   * Claims blocks for a chunk or a move. Repeating it gives the same answer until they are covered.
   * @param names of the chunk or move. An existing claim under any of them is continued; a new one gets the first.
   * @throws OperatorError ASSAY_INGEST_OTHER_HASH; RetryableError ASSAY_INGEST_CLAIMED while another chunk or move inserts some.
   */
  claim: (names: readonly [string, ...string[]], blocks: readonly Linked[]) => Promise<Claim>
  /** Ends a claim once its blocks are in every table. */
  cover: (by: string, blocks: readonly Linked[]) => Promise<void>
  /** Hash of a covered block, if known. */
  hashOf: (number: number) => Promise<string | undefined>
}

type State = { version: bigint; inserts: bigint; slots: Slot[] }

/** The highest number; 0 for none. */
const highest = (values: readonly string[]): bigint => {
  let most = 0n
  for (const value of values.map(BigInt)) if (value > most) most = value
  return most
}

const isClaimOf = (by: string) => (slot: Slot) => slot.claimedBy === by

/** Opens the ranges of an epoch. Changes within a process are serialised; conflicts with other processes are retried. */
export const createCovered = (store: Store, network: Network, epoch: number): Covered => {
  const otherHash = (detail: string) =>
    new OperatorError(
      'ASSAY_INGEST_OTHER_HASH',
      `Blocks of ${network} contradict those in the tables: ${detail}. They were not inserted and the network stopped. Run \`assay verify --network ${network}\` to find out which are on the chain, then run ${reindexBase(network)}.`,
    )

  const read = async (): Promise<State> => {
    const rows = await store.query<SlotRow>(SLOTS, { network, epoch }, { route: 'covered' })
    return {
      version: highest(rows.map(({ version }) => version)),
      inserts: highest(rows.map(({ inserts }) => inserts)),
      slots: rows.filter(({ is_deleted }) => is_deleted === 0).map(slotOf),
    }
  }

  const allInserts = async (): Promise<bigint> => {
    const [row] = await store.query<{ inserts: string }>(INSERTS, {}, { route: 'inserts' })
    return BigInt(row?.inserts ?? 0)
  }

  /** Serialises the changes of this process, whose partitions would otherwise conflict with each other. */
  const inTurn = createLock()

  type Update = (state: State) => Promise<{ slots: Slot[]; begins: boolean } | undefined>

  const change = (update: Update): Promise<State> => inTurn(() => changeNow(update))

  /** Applies a change with retries, until the update has nothing to change. */
  const changeNow = async (update: Update): Promise<State> => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const state = await read()
      const next = await update(state)
      if (!next) return state
      const version = state.version + 1n
      const inserts = state.inserts + (next.begins ? 1n : 0n)
      const facts = { network, epoch, version: version.toString(), inserts: inserts.toString() }
      const rows = changedSlots(state.slots, next.slots).map((row) => `${JSON.stringify({ ...row, ...facts })}\n`)
      if (rows.length === 0) return state
      await store.insert('covered_ranges', rows.join(''), { token: `covered:${network}:e${epoch}:${version}` })
    }
    throw new RetryableError(
      'ASSAY_INGEST_OVERTAKEN',
      `Other consumers of ${network} changed its covered ranges at the same time. Nothing was changed, and the chunk is retried. If this persists, two scorers use different consumer groups.`,
    )
  }

  const hashesOf = async (numbers: readonly number[]): Promise<Map<number, string>> => {
    if (numbers.length === 0) return new Map()
    const rows = await store.query<{ block_number: number; block_hash: string }>(
      BLOCK_HASHES,
      { network, numbers },
      { route: 'block_hashes' },
    )
    return new Map(rows.map(({ block_number, block_hash }) => [block_number, block_hash]))
  }

  /** Removes duplicate blocks. */
  const unique = (blocks: readonly Linked[]): Linked[] => {
    const seen = new Map<number, Linked>()
    for (const block of blocks) {
      const known = seen.get(block.number)
      if (known && known.hash !== block.hash) {
        throw otherHash(`block ${block.number} comes as ${known.hash} and as ${block.hash}`)
      }
      seen.set(block.number, block)
    }
    return [...seen.values()]
  }

  const coveredOf = ({ slots }: State): Slot[] => slots.filter(isClaimOf('')).toSorted((a, b) => a.first - b.first)

  const linked = (ranges: readonly Range[], blocks: readonly Linked[]): Range[] => {
    try {
      return withBlocks(ranges, blocks)
    } catch (error) {
      if (error instanceof BrokenLink) throw otherHash(error.message)
      throw error
    }
  }

  /** Blocks that are not covered. Throws if a covered one has another hash. */
  const uncovered = async (ranges: readonly Range[], blocks: readonly Linked[]): Promise<Linked[]> => {
    const known = blocks.filter(({ number }) => holds(ranges, number))
    const hashes = await hashesOf(known.map(({ number }) => number))
    for (const { number, hash } of known) {
      const ours = hashes.get(number)
      if (ours !== hash) throw otherHash(`block ${number} is ${hash}, and ${ours ?? 'missing'} in the tables`)
    }
    return blocks.filter(({ number }) => !holds(ranges, number))
  }

  return {
    ranges: async () => coveredOf(await read()),
    claim: async (names, given) => {
      const blocks = unique(given)
      let take: Linked[] = []
      let [by] = names
      let isNew: boolean | undefined
      const { slots } = await change(async (state) => {
        const ranges = coveredOf(state)
        take = await uncovered(ranges, blocks)
        linked(ranges, take)
        by = names.find((name) => state.slots.some(isClaimOf(name))) ?? names[0]
        const other = state.slots.find(
          (slot) => slot.claimedBy !== '' && slot.claimedBy !== by && take.some(({ number }) => holds([slot], number)),
        )
        if (other) {
          throw new RetryableError(
            'ASSAY_INGEST_CLAIMED',
            `Blocks ${other.first} to ${other.last} of ${network} are being inserted by ${other.claimedBy}. The chunk is retried when that is done.`,
          )
        }
        const own = state.slots.filter(isClaimOf(by))
        isNew ??= own.length === 0
        const missing = take.filter(({ number }) => !holds(own, number))
        if (missing.length === 0) return undefined
        const claimedAt = own[0]?.claimedAt ?? (await allInserts())
        const claims = linked([], missing).map((range) => ({ ...range, claimedBy: by, claimedAt }))
        return { slots: [...state.slots, ...claims], begins: own.length === 0 }
      })
      const since = slots.find(isClaimOf(by))?.claimedAt
      const inserts = isNew || since === undefined ? 0 : Number((await allInserts()) - since)
      return { take: new Set(take.map(({ number }) => number)), inserts, by }
    },
    cover: async (by, given) => {
      const blocks = unique(given)
      await change(async (state) => {
        const ranges = coveredOf(state)
        const own = state.slots.filter(isClaimOf(by))
        const fresh = blocks.filter(({ number }) => !holds(ranges, number))
        if (own.length === 0 && fresh.length === 0) return undefined
        const covered = linked(ranges, fresh).map((range) => ({ ...range, claimedBy: '', claimedAt: 0n }))
        const others = state.slots.filter(({ claimedBy }) => claimedBy !== '' && claimedBy !== by)
        return { slots: [...others, ...covered], begins: false }
      })
    },
    hashOf: async (number) => (await hashesOf([number])).get(number),
  }
}
