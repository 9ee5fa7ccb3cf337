/**
 * The final block of a network with several hosts, for sources of any family.
 *
 * The newest block is whichever node is ahead: what it says is undone when it was wrong. A final block is never undone,
 * so with endpoints at two hosts or more it is one that a second host holds final too, under the same hash. While none
 * does, the last one confirmed stays the final block, for as long as the network's window allows; then the network waits.
 * Where it is wished, a host that has long been the only one to answer, and never contradicted another, is believed alone.
 */
import type { Context } from '../../platform/context/context.ts'
import { RetryableError } from '../../platform/errors.ts'
import type { Node, RpcPool } from '../../platform/rpc/pool.ts'
import type { BlockRef } from '../../schema/block.ts'
import { retryOnOther } from './answers.ts'

/** What a host takes for final, or holds at a height. */
export type Opinion = { host: string; ref: BlockRef }

type FinalityOptions = {
  context: Pick<Context, 'clock' | 'log'>
  network: string
  /** Number of different hosts. */
  hosts: number
  /** Blocks the final block may stay behind the newest one while it is not confirmed. */
  window: number
  /** Whether nothing above the final block is followed: a host that is behind then holds everything up. @default false */
  finalOnly?: boolean
  /** How long a host has to be the only one that answers until its final block is taken, ms; never when left out. */
  aloneAfterMs?: number | undefined
  head: (signal?: AbortSignal) => Promise<BlockRef>
  /** What each host that answers takes for final. */
  opinions: (signal?: AbortSignal) => Promise<Opinion[]>
  /** Takes note of each block that two hosts hold final. */
  confirmed?: (ref: BlockRef) => void
  /** What the hosts asked hold where a block is said to be, of those that answer. */
  lookAt: (ref: BlockRef, hosts: ReadonlySet<string>, signal?: AbortSignal) => Promise<Opinion[]>
}

/** How hosts are asked: each for what it takes for final, or some for what they hold where another's block is. */
export const hostsAsked = (
  pool: Pick<RpcPool, 'everywhere'>,
  { final, at }: { final: (node: Node) => Promise<BlockRef>; at: (node: Node, ref: BlockRef) => Promise<BlockRef> },
  timeoutMs: number,
): Pick<FinalityOptions, 'opinions' | 'lookAt'> => ({
  opinions: (signal) =>
    pool.everywhere(async (node): Promise<Opinion> => ({ host: node.host, ref: await retryOnOther(final(node)) }), {
      signal,
      timeoutMs,
      excluded: true,
    }),
  lookAt: async (where, asked, signal) => {
    const found = await pool.everywhere(
      async (node): Promise<Opinion[]> =>
        asked.has(node.host) ? [{ host: node.host, ref: await retryOnOther(at(node, where)) }] : [],
      { signal, timeoutMs, excluded: true },
    )
    return found.flat()
  },
})

/** Where the hash does not bind the height, hosts have to agree on both. */
const same = (a: BlockRef, b: BlockRef): boolean => a.number === b.number && a.hash === b.hash

/** Blocks one host may be behind another where nothing but final blocks is followed. */
const BEHIND = 64

/** Who keeps blocks from becoming final, and what to do about it. */
const hindrance = (
  { network, hosts, aloneAfterMs }: Pick<FinalityOptions, 'network' | 'hosts' | 'aloneAfterMs'>,
  opinions: readonly Opinion[],
  disputed: ReadonlySet<string>,
): string => {
  const urls = `${network}_RPC_URL`
  const answering = [...new Set(opinions.map(({ host }) => host))]
  const [only] = answering
  if (only !== undefined && answering.length === 1) {
    const alone = disputed.has(only)
      ? 'It has contradicted another host and is not believed alone before the indexer starts again'
      : aloneAfterMs === undefined
        ? 'To go on with the one that is left, set ASSAY_LONE_FINALITY_SECONDS (at least 60)'
        : `It is believed alone once it has been the only one for ${aloneAfterMs / 1_000} s`
    return `Of the ${hosts} hosts of ${network} only ${only} gives its final block, and one host alone makes no block final. Mend or replace the others in ${urls}, or add a third. ${alone}.`
  }
  const stated = opinions.map(({ host, ref }) => `${host}: ${ref.number}`).join(', ')
  return `No two of the ${hosts} hosts of ${network} agree on a newer final block (${stated}). Compare the endpoints and take the one that is wrong, behind or down out of ${urls}, or add a third.`
}

/** Gives the newest block that two hosts hold final. @throws RetryableError ASSAY_SOURCE_FINALITY_UNCONFIRMED */
export const createFinality = ({
  context: { clock, log },
  network,
  hosts,
  window,
  finalOnly = false,
  aloneAfterMs,
  head,
  opinions: ask,
  confirmed: note,
  lookAt,
}: FinalityOptions): ((signal?: AbortSignal) => Promise<BlockRef>) => {
  /** Hosts that showed another block at a height, or a block at another height, than another host; who was right is not known. */
  const disputed = new Set<string>()
  let alone: { host: string; since: number; said: boolean } | undefined
  let confirmed: BlockRef | undefined

  const dispute = ({ host, ref: one }: Opinion, others: readonly Opinion[]) => {
    for (const other of others) {
      if ((other.ref.number === one.number) === (other.ref.hash === one.hash)) continue
      disputed.add(host).add(other.host)
    }
  }

  /** What the only host that answers holds final, once that has lasted long enough and nothing speaks against it. */
  const survivor = (opinions: readonly Opinion[]): BlockRef | undefined => {
    const [first] = opinions
    if (!first || opinions.some(({ host }) => host !== first.host)) {
      alone = undefined
      return undefined
    }
    if (alone?.host !== first.host) alone = { host: first.host, since: clock.now(), said: false }
    if (aloneAfterMs === undefined || clock.now() - alone.since < aloneAfterMs || disputed.has(first.host))
      return undefined
    if (!alone.said) log.warn({ network, host: first.host }, 'took the final block of the only host that answers')
    alone.said = true
    return first.ref
  }

  /** The highest block that two hosts hold final, `undefined` when they hold none in common. */
  const agreed = async (opinions: readonly Opinion[], signal?: AbortSignal): Promise<BlockRef | undefined> => {
    const sorted = opinions.toSorted((a, b) => b.ref.number - a.ref.number)
    for (const [place, { host, ref: one }] of sorted.entries()) {
      const above = sorted.slice(0, place).filter((other) => other.host !== host)
      if (above.some(({ ref: other }) => same(other, one))) return one
      dispute({ host, ref: one }, above)
      const asked = new Set(above.filter(({ ref: other }) => other.number > one.number).map((other) => other.host))
      if (asked.size === 0) continue
      const found = await lookAt(one, asked, signal)
      if (found.some(({ ref: other }) => same(other, one))) return one
      dispute({ host, ref: one }, found)
    }
    return undefined
  }

  const unconfirmed = (opinions: readonly Opinion[]) =>
    new RetryableError(
      'ASSAY_SOURCE_FINALITY_UNCONFIRMED',
      `${hindrance({ network, hosts, aloneAfterMs }, opinions, disputed)} Nothing further counts as final meanwhile; it is looked at again.`,
    )

  return async (signal) => {
    const opinions = await ask(signal)
    const before = confirmed
    const common = await agreed(opinions, signal)
    if (common && common.number >= (confirmed?.number ?? 0)) note?.(common)
    const found = common ?? survivor(opinions)
    if (found && found.number >= (confirmed?.number ?? 0)) confirmed = found
    const newest = found ? undefined : await head(signal)
    if (!confirmed || (newest && newest.number - confirmed.number > window)) throw unconfirmed(opinions)
    const highest = Math.max(...opinions.map(({ ref }) => ref.number))
    const still = before !== undefined && confirmed.number === before.number
    if (finalOnly && still && highest - confirmed.number > BEHIND) throw unconfirmed(opinions)
    return confirmed
  }
}
