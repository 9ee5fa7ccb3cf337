/**
 * Verification of block heights. A node states the height of a block, but nothing in the block binds it: neither the hash nor
 * the parent depends on it. So the height stated by one node proves nothing.
 *
 * With several hosts, heights are counted from a block that two of them agree on (`bind`). Each node is first asked for that
 * block, and refused while it states another height or hash for its slot. From there its own list of slots is counted, and a
 * block whose stated height differs from its position in the list is refused. With one host, its first answer is trusted, and
 * later ones are compared with it.
 *
 * Nodes share nothing but the agreed block. A refused answer also discards what it left behind, so that the next search starts
 * from scratch.
 */
import { RpcError, RpcInconsistent } from '../../../platform/rpc/errors.ts'
import type { Node } from '../../../platform/rpc/pool.ts'
import type { BlockRef } from '../../../schema/block.ts'
import { SlotAbsent, type Versions } from './node.ts'
import { createSlots, type Place, type Slots } from './slots.ts'

/** A block that two hosts hold final at the same height. */
export type BoundPlace = Place & { hash: string }

type HeightsOptions = {
  versions: Versions
  /** Number of newest blocks that another branch may replace. */
  window: number
  /** Whether there is only one host. */
  single: boolean
  /** A node's block at a slot. */
  headerOf: (node: Node, slot: number) => Promise<BlockRef>
  /** A node's newest block. */
  newest: (node: Node) => Promise<Place>
}

/** Translates heights to slots for a source, so that no node can shift the numbers of blocks. */
export type Heights = {
  /** Counts from this block from now on. */
  bind: (place: BoundPlace) => void
  bound: () => boolean
  /**
   * Runs work on a node by slot for a height. A slot that turns out to be wrong is looked up once more.
   * @throws SlotAbsent when the node has no such height (yet); RpcInconsistent when its heights contradict the bound block or
   *   each other.
   */
  at: <T>(node: Node, number: number, work: (slot: number) => Promise<T>) => Promise<T>
  /** Compares a stated height with the node's own list. @throws RpcInconsistent when they differ */
  check: (node: Node, stated: Place) => Promise<void>
}

/** Number of blocks after which a node is checked again for the agreed block: about a minute. */
const RENEW_AFTER = 150

/** `proven`: a block was returned by it. */
type Table = { slots: Slots; from: number; proven: boolean }

/** Nothing is bound at first: heights are then those that each node states. */
export const createHeights = ({ versions, window, single, headerOf, newest }: HeightsOptions): Heights => {
  const tables = new Map<string, Table>()
  let anchor: BoundPlace | undefined

  const start = async (node: Node): Promise<Place> => {
    if (!anchor) return newest(node)
    const { number, slot, hash } = anchor
    const stated = await headerOf(node, slot)
    if (stated.number === number && stated.hash === hash) return { number, slot }
    throw new RpcInconsistent(
      'height',
      `slot ${slot} holds block ${number} (${hash}) for two hosts, and block ${stated.number} (${stated.hash}) for this one`,
    )
  }

  const tableOf = (node: Node): Table => {
    const held = tables.get(node.host)
    if (held && (!anchor || anchor.number < held.from + RENEW_AFTER)) return held
    const table = {
      slots: createSlots({ versions, start, newest }),
      from: anchor?.number ?? 0,
      proven: false,
    }
    tables.set(node.host, table)
    return table
  }

  /** Drops what was learned from a node whose answers contradict it. A single host's proven table is kept. */
  const drop = (node: Node, table: Table, error: unknown) => {
    if (!(error instanceof RpcInconsistent) || (single && table.proven)) return
    if (tables.get(node.host) === table) tables.delete(node.host)
  }

  const countedAt = async (node: Node, { slots }: Table, { number, slot }: Place): Promise<number | undefined> => {
    try {
      await slots.slotOf(node, number)
    } catch (error) {
      if (!(error instanceof SlotAbsent)) throw error
    }
    return slots.numberAt(slot)
  }

  return {
    bind: (place) => {
      anchor = place
    },
    bound: () => anchor !== undefined,
    at: async (node, number, work) => {
      const table = tableOf(node)
      const once = async () => {
        const slot = await table.slots.slotOf(node, number)
        const done = await work(slot)
        table.slots.learn({ number, slot })
        table.proven = true
        return done
      }
      try {
        return await once()
      } catch (error) {
        const stale = (error instanceof SlotAbsent && error.skipped) || error instanceof RpcInconsistent
        if (!stale) throw error
        table.slots.forget(number - window)
      }
      try {
        return await once()
      } catch (error) {
        drop(node, table, error)
        throw error
      }
    },
    check: async (node, stated) => {
      const table = tableOf(node)
      // A single host is compared with itself; without an agreed block there is no reference.
      if (!anchor) {
        if (single) table.slots.learn(stated)
        return
      }
      try {
        if ((await countedAt(node, table, stated)) === stated.number) return
        // Another branch may have replaced it.
        table.slots.forget(stated.number - window)
        const counted = await countedAt(node, table, stated)
        if (counted === stated.number) return
        const what = `slot ${stated.slot}, stated to be block ${stated.number},`
        if (counted === undefined) throw new RpcError('transient', 0, `${what} is not listed by its node yet`)
        throw new RpcInconsistent('height', `${what} is block ${counted} by the list of its node`)
      } catch (error) {
        drop(node, table, error)
        throw error
      }
    },
  }
}
