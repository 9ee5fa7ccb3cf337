/**
 * Maps heights to slots. A Solana block has a height, which counts blocks, and a slot, which counts the turns of leaders,
 * skipped ones included. Assay's block numbers are heights, so that a block's parent is always one below; nodes are asked by
 * slot.
 *
 * In the list of slots with a block, starting at a block of known height, the n-th slot belongs to the n-th height. The
 * block itself, which states its height, proves the list.
 *
 * Nothing in a block binds its height, so what is learned from one node is only used for that node (`heights.ts`).
 */
import { RpcInconsistent } from '../../../platform/rpc/errors.ts'
import type { Node } from '../../../platform/rpc/pool.ts'
import { askBlock, askNext, SlotAbsent, type Versions } from './node.ts'

/** A block of known height and slot. */
export type Place = { number: number; slot: number }

/** Slots and heights according to one node. */
export type Slots = {
  /**
   * The slot of a height.
   * @throws SlotAbsent when the node has no such height (yet); RpcInconsistent when its answers lead nowhere.
   */
  slotOf: (node: Node, number: number) => Promise<number>
  /** The height of a slot, if learned or listed. */
  numberAt: (slot: number) => number | undefined
  learn: (place: Place) => void
  /**
   * Drops everything from a height on, which another branch may have replaced, and places that the node no longer lists. The
   * lowest place stays, so that wrong heights of a node are compared with what was known before.
   */
  forget: (from: number) => void
}

/** Slots per list; nodes allow 500,000 (Solana RPC documentation, `getBlocksWithLimit`). */
const SPAN = 4_000
/** A list starts at a known place at most this far below the height. */
const REACH = 3_500
const PLACES = 64
const RUNS = 4
/** Maximum steps of the search for a height far from every known one. On mainnet each step gets at least twenty times closer. */
const STEPS = 24
/** Factor by which the search goes further down after finding nothing new. */
const WIDER = 8
/** The search aims this much too low, so that the following list contains the height. */
const MARGIN = 200

const GENESIS: Place = { number: 0, slot: 0 }

type Run = { number: number; slots: readonly number[] }

type SlotsOptions = {
  versions: Versions
  /** A place to count from, if none is known. */
  start: (node: Node) => Promise<Place>
  /** The newest place of the node. */
  newest: (node: Node) => Promise<Place>
}

/** Starts without places. Searches run one after another, because each learns from the one before. */
export const createSlots = ({ versions, start, newest }: SlotsOptions): Slots => {
  let places: Place[] = []
  let runs: Run[] = []
  let turn: Promise<unknown> = Promise.resolve()

  const learn = (place: Place) => {
    places = [place, ...places.filter(({ number }) => number !== place.number)].slice(0, PLACES)
  }

  const known = (number: number): number | undefined => {
    const place = places.find((one) => one.number === number)
    if (place) return place.slot
    const run = runs.find((one) => number >= one.number && number < one.number + one.slots.length)
    return run?.slots[number - run.number]
  }

  const nearest = (below: (place: Place) => boolean, better: (a: Place, b: Place) => boolean): Place | undefined => {
    const ends = runs.flatMap(({ number, slots }): Place[] => {
      const slot = slots.at(-1)
      return slot === undefined ? [] : [{ number: number + slots.length - 1, slot }]
    })
    return [...places, ...ends]
      .filter(below)
      .reduce<Place | undefined>((best, one) => (best && !better(one, best) ? best : one), undefined)
  }
  const below = (number: number) =>
    nearest(
      (one) => one.number <= number,
      (a, b) => a.number > b.number,
    )
  const above = (number: number) =>
    nearest(
      (one) => one.number >= number,
      (a, b) => a.number < b.number,
    )

  const list = async (node: Node, from: Place, number: number): Promise<number> => {
    const slots = await askNext(node, from.slot, SPAN)
    if (slots.length > 0 && slots[0] !== from.slot) {
      places = places.filter(({ slot }) => slot !== from.slot)
      runs = []
      throw new RpcInconsistent('slots', `slot ${from.slot} had a block, and is not listed any more`)
    }
    runs = [{ number: from.number, slots }, ...runs].slice(0, RUNS)
    const slot = slots[number - from.number]
    if (slot === undefined) throw new SlotAbsent(`block ${number}`, false)
    return slot
  }

  /** Finds a place at most `REACH` below a height, by interpolation between a lower and a higher place. */
  const approach = async (node: Node, number: number): Promise<Place> => {
    let low = below(number) ?? GENESIS
    if (!above(number)) learn(await newest(node))
    const high = above(number)
    if (!high) throw new SlotAbsent(`block ${number}`, false)
    let top = high
    /** How far below the higher place to look; grows while there is no block in between. */
    let back = 0
    for (let step = 0; step < STEPS; step += 1) {
      if (number - low.number <= REACH) return low
      const share = (top.number - number) / (top.number - low.number)
      back = back === 0 ? Math.ceil((top.slot - low.slot) * share) + MARGIN : back * WIDER
      const [slot] = await askNext(node, Math.max(low.slot + 1, top.slot - back), 1)
      if (slot === undefined) break
      if (slot >= top.slot) {
        if (top.slot - back <= low.slot) break
        continue
      }
      const { blockHeight } = await askBlock(node, slot, { full: false, versions })
      if (typeof blockHeight !== 'number' || blockHeight <= low.number || blockHeight >= top.number) break
      const place = { number: blockHeight, slot }
      learn(place)
      back = 0
      if (blockHeight <= number) low = place
      else top = place
    }
    throw new RpcInconsistent('slots', `block ${number} was not found between slots ${low.slot} and ${top.slot}`)
  }

  const find = async (node: Node, number: number): Promise<number> => {
    const slot = known(number)
    if (slot !== undefined) return slot
    if (places.length === 0) learn(await start(node))
    const near = below(number)
    return list(node, near && number - near.number <= REACH ? near : await approach(node, number), number)
  }

  return {
    learn,
    numberAt: (slot) => {
      const place = places.find((one) => one.slot === slot)
      if (place) return place.number
      const run = runs.find(({ slots }) => slots.includes(slot))
      return run && run.number + run.slots.indexOf(slot)
    },
    /** One search at a time, because the first answer usually contains what the others need. */
    slotOf: (node, number) => {
      const slot = known(number)
      if (slot !== undefined) return Promise.resolve(slot)
      const found = turn.then(() => find(node, number))
      turn = found.catch(() => undefined)
      return found
    },
    forget: (from) => {
      const lowest = places.reduce<Place | undefined>(
        (low, one) => (low && low.number <= one.number ? low : one),
        undefined,
      )
      places = places.filter((one) => one.number < from || one === lowest)
      runs = runs.flatMap(({ number, slots }) =>
        number < from ? [{ number, slots: slots.slice(0, from - number) }] : [],
      )
    },
  }
}
