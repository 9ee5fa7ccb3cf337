/**
 * Excludes hosts on another chain. A block that two hosts held final is never replaced, so a host with another block at its
 * height is on another chain (for example, a balancer was pointed elsewhere). It is not asked for blocks until it shows the
 * right one again: otherwise its head would be followed as a branch, and a branch below the final block stops the network.
 */
import { steadyTime } from '../../platform/context/clock.ts'
import type { Context } from '../../platform/context/context.ts'
import { RpcAbsent, RpcError, RpcInconsistent, RpcTransportError } from '../../platform/rpc/errors.ts'
import type { AttemptOptions, Node, RpcPool } from '../../platform/rpc/pool.ts'
import type { BlockRef } from '../../schema/block.ts'

/** How long a host's answer about the block is valid, ms. */
const RECHECK_MS = 15_000

/** The hosts of a pool on the chain that two of them confirmed. Before anything is confirmed, all hosts count. */
export type OneChain = {
  /** Sets the block that hosts have to hold. */
  confirmed: (ref: BlockRef) => void
  /** The pool without hosts that hold another block. */
  pool: Pick<RpcPool, 'attempt' | 'everywhere'>
  /** The same, with every host checked again: for decisions about a branch. */
  sure: Pick<RpcPool, 'attempt'>
}

/** Checks each host again every 15 s, as part of the next work on it. */
export const createOneChain = ({
  context: { clock, log },
  network,
  pool,
  at,
}: {
  context: Pick<Context, 'clock' | 'log'>
  network: string
  pool: RpcPool
  /** A node's block at the height of `ref`. */
  at: (node: Node, ref: BlockRef) => Promise<BlockRef>
}): OneChain => {
  const time = steadyTime(clock.now)
  const asked = new Map<string, { since: number; other: Promise<BlockRef | undefined> }>()
  const foreign = new Set<string>()
  let anchor: BlockRef | undefined

  /** The conflicting block of a host; `undefined` if it shows the right one or none. */
  const readAnchor = async (node: Node, ref: BlockRef): Promise<BlockRef | undefined> => {
    try {
      const found = await at(node, ref)
      return found.hash === ref.hash ? undefined : found
    } catch (error) {
      // A failed request is not a contradiction, and is repeated.
      asked.delete(node.host)
      if (error instanceof RpcAbsent || error instanceof RpcError || error instanceof RpcTransportError)
        return undefined
      throw error
    }
  }

  const conflictOf = async (node: Node, fresh: boolean): Promise<BlockRef | undefined> => {
    if (!anchor) return undefined
    const { host } = node
    let known = asked.get(host)
    if (!known || fresh || time() - known.since >= RECHECK_MS) {
      known = { since: time(), other: readAnchor(node, anchor) }
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
          const other = await conflictOf(node, fresh)
          if (!other) return work(node)
          throw new RpcInconsistent(
            'final_block',
            `block ${other.number} is ${other.hash} there, and another one was final at two hosts`,
          )
        },
        {
          ...options,
          // Hosts on another chain are asked if there is no other host, and when their answer has expired.
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
          const other = await conflictOf(node, false)
          return other ? [] : [await work(node)]
        }, options)
        const own = found.flat(1) as Awaited<ReturnType<typeof work>>[]
        return own.length > 0 ? own : [await attempt(false)(work, options)]
      },
    },
    sure: { attempt: attempt(true) },
  }
}
