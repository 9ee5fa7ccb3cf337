/**
 * Keeps hosts of another chain out. A block that two hosts held final is never replaced, so a host that shows another block at its height is
 * on another chain, as behind a balancer that was pointed elsewhere. It is not asked for blocks until it shows the right one again: its
 * head would otherwise be followed as a branch, and a branch below what is final stops the network.
 */
import { steadyTime } from '../../platform/context/clock.ts'
import type { Context } from '../../platform/context/context.ts'
import { RpcAbsent, RpcError, RpcInconsistent, RpcTransportError } from '../../platform/rpc/errors.ts'
import type { AttemptOptions, Node, RpcPool } from '../../platform/rpc/pool.ts'
import type { BlockRef } from '../../schema/block.ts'

/** How long a host's word about the block stands, ms. */
const RECHECK_MS = 15_000

/**
 * The hosts of a pool that are on the chain that two of them confirmed. Before anything is confirmed, that is all of
 * them.
 */
export type OneChain = {
  /** From now on hosts have to hold this block. */
  confirmed: (ref: BlockRef) => void
  /** Those of the pool that do not hold another block. */
  pool: Pick<RpcPool, 'attempt' | 'everywhere'>
  /** The same, each asked anew: for what decides about a branch. */
  sure: Pick<RpcPool, 'attempt'>
}

/** Asks each host again for the confirmed block every 15 s, as part of the next work at it. */
export const createOneChain = ({
  context: { clock, log },
  network,
  pool,
  at,
}: {
  context: Pick<Context, 'clock' | 'log'>
  network: string
  pool: RpcPool
  /** What a node holds where a block is said to be. */
  at: (node: Node, ref: BlockRef) => Promise<BlockRef>
}): OneChain => {
  const time = steadyTime(clock.now)
  const asked = new Map<string, { since: number; other: Promise<BlockRef | undefined> }>()
  const foreign = new Set<string>()
  let anchor: BlockRef | undefined

  /** The other block that a host shows; `undefined` where it shows the right one, or none. */
  const look = async (node: Node, ref: BlockRef): Promise<BlockRef | undefined> => {
    try {
      const found = await at(node, ref)
      return found.hash === ref.hash ? undefined : found
    } catch (error) {
      // What it does not answer is no contradiction, and is asked again.
      asked.delete(node.host)
      if (error instanceof RpcAbsent || error instanceof RpcError || error instanceof RpcTransportError)
        return undefined
      throw error
    }
  }

  const otherOf = async (node: Node, fresh: boolean): Promise<BlockRef | undefined> => {
    if (!anchor) return undefined
    const { host } = node
    let known = asked.get(host)
    if (!known || fresh || time() - known.since >= RECHECK_MS) {
      known = { since: time(), other: look(node, anchor) }
      asked.set(host, known)
    }
    const other = await known.other
    if (other && !foreign.has(host)) {
      const { number, hash } = other
      log.warn({ network, host, number, hash }, 'left out a host that is on another chain')
    }
    if (other) foreign.add(host)
    else foreign.delete(host)
    return other
  }

  const attempt =
    (fresh: boolean): RpcPool['attempt'] =>
    (work, options: AttemptOptions = {}) =>
      pool.attempt(
        async (node) => {
          const other = await otherOf(node, fresh)
          if (!other) return work(node)
          throw new RpcInconsistent(
            'final_block',
            `block ${other.number} is ${other.hash} there, and another one was final at two hosts`,
          )
        },
        {
          ...options,
          // Those known to be elsewhere are asked when there is nobody else, and when their word is old.
          prefer: (one) => {
            const { since = 0 } = asked.get(one.host) ?? {}
            const out = foreign.has(one.host) && !fresh && time() - since < RECHECK_MS
            return !out && (options.prefer?.(one) ?? true)
          },
        },
      )

  return {
    confirmed: (ref) => {
      anchor = ref
    },
    pool: {
      attempt: attempt(false),
      everywhere: async (work, options) => {
        const found = await pool.everywhere(async (node) => {
          const other = await otherOf(node, false)
          return other ? [] : [await work(node)]
        }, options)
        const own = found.flat(1) as Awaited<ReturnType<typeof work>>[]
        return own.length > 0 ? own : [await attempt(false)(work, options)]
      },
    },
    sure: { attempt: attempt(true) },
  }
}
