/**
 * What is believed about heights. A node states the height of a block, and nothing in the block binds it: neither the hash
 * nor the parent's changes with it. So what one node states is not knowledge of the network.
 *
 * With several hosts, heights are counted from a block that two of them agree on (`bind`). A node is asked for that block
 * first, and is refused while it states another height or another hash for its slot; from there its own list of slots is
 * counted, and a block that states another height than its place in the list is refused. With one host its first word is
 * taken, and later ones are measured by it.
 *
 * Nothing is shared between nodes but the block agreed on. What a refused answer left behind goes with it: the next search
 * begins anew.
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
  /** Blocks that may be replaced by another branch. */
  window: number
  /** Whether there is no second host that could agree. */
  single: boolean
  /** The block of a slot as a node states it. */
  headerOf: (node: Node, slot: number) => Promise<BlockRef>
  /** The newest block of a node as it states it. */
  newest: (node: Node) => Promise<Place>
}

/** What a source asks nodes through, so that none of them can shift the numbers of blocks. */
export type Heights = {
  /** Counts from this block from now on. */
  bind: (place: BoundPlace) => void
  bound: () => boolean
  /**
   * Asks a node by slot what is wanted by height. A slot that turns out to be wrong is looked up once more.
   * @throws SlotAbsent when the node has no such height (yet); RpcInconsistent when its heights contradict what is bound,
   *   or each other.
   */
  at: <T>(node: Node, number: number, work: (slot: number) => Promise<T>) => Promise<T>
  /** Compares a stated height with the node's own list. @throws RpcInconsistent when they differ */
  check: (node: Node, stated: Place) => Promise<void>
}

/** Blocks after which a node is asked again for the block agreed on: about a minute. */
const RENEW_AFTER = 150

/** `proven`: a block was returned by it. */
type Table = { slots: Slots; from: number; proven: boolean }

/** Nothing is bound at first: heights are then what each node itself states. */
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

  /** Drops what was learned from a node whose answers contradict it. What one host alone proved stays its measure. */
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
      // One host is its own measure. Without a block agreed on there is none.
      if (!anchor) {
        if (single) table.slots.learn(stated)
        return
      }
      try {
        if ((await countedAt(node, table, stated)) === stated.number) return
        // Another branch may have taken its place.
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
