/**
 * The final block of a network with several hosts, for all families.
 *
 * The newest block may come from any node, because a wrong one is undone later. A final block is never undone, so with two
 * or more hosts it has to be final at a second host too, under the same hash. While no two hosts agree, the last confirmed
 * block stays the final block, as long as the network's window allows; then the network waits. If configured, a host that
 * has been the only one to answer for long enough, and never contradicted another, is trusted alone.
 */
import type { Context } from '../../platform/context/context.ts'
import { RetryableError } from '../../platform/errors.ts'
import type { Node, RpcPool } from '../../platform/rpc/pool.ts'
import type { BlockRef } from '../../schema/block.ts'
import { retryOnOther } from './answers.ts'

/** A host's final block, or its block at a height. */
export type Opinion = { host: string; ref: BlockRef }

type FinalityOptions = {
  context: Pick<Context, 'clock' | 'log'>
  network: string
  /** Number of distinct hosts. */
  hosts: number
  /** How far an unconfirmed final block may stay behind the newest block, in blocks. */
  window: number
  /** Whether only final blocks are followed, so that a lagging host would delay everything. @default false */
  finalOnly?: boolean
  /** How long a host has to be the only one that answers before its final block is accepted, ms; never if absent. */
  aloneAfterMs?: number | undefined
  head: (signal?: AbortSignal) => Promise<BlockRef>
  /** The final block of each host that answers. */
  opinions: (signal?: AbortSignal) => Promise<Opinion[]>
  /** Called with each block that two hosts hold final. */
  confirmed?: (ref: BlockRef) => void
  /** The blocks of the given hosts at the height of a block, from those that answer. */
  lookAt: (ref: BlockRef, hosts: ReadonlySet<string>, signal?: AbortSignal) => Promise<Opinion[]>
}

/** How to ask hosts: all for their final block, or some for their block at the height of another's. */
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

/** Compares number and hash, because the hash does not determine the height on every network. */
const same = (a: BlockRef, b: BlockRef): boolean => a.number === b.number && a.hash === b.hash

/** How far a host may lag behind another if only final blocks are followed, in blocks. */
const MAX_LAG = 64

/** Error text: which hosts prevent finality, and what to do. */
const describeDisagreement = (
  { network, hosts, aloneAfterMs }: Pick<FinalityOptions, 'network' | 'hosts' | 'aloneAfterMs'>,
  opinions: readonly Opinion[],
  disputed: ReadonlySet<string>,
): string => {
  const urls = `${network}_RPC_URL`
  const answering = [...new Set(opinions.map(({ host }) => host))]
  const [only] = answering
  if (only !== undefined && answering.length === 1) {
    const alone = disputed.has(only)
      ? 'It has contradicted another host, so it cannot make blocks final alone until the indexer restarts'
      : aloneAfterMs === undefined
        ? 'To continue with the remaining host alone, set ASSAY_LONE_FINALITY_SECONDS (at least 60)'
        : `Its final block counts alone once it has been the only host to answer for ${aloneAfterMs / 1_000} s`
    return `Of the ${hosts} hosts of ${network}, only ${only} reports a final block, and one host alone does not make a block final. Repair or replace the others in ${urls}, or add a third. ${alone}.`
  }
  const stated = opinions.map(({ host, ref }) => `${host}: ${ref.number}`).join(', ')
  return `No two of the ${hosts} hosts of ${network} agree on a newer final block (${stated}). Compare the endpoints and remove the one that is wrong, behind or down from ${urls}, or add a third.`
}

/** Finds the newest block that two hosts hold final. @throws RetryableError ASSAY_SOURCE_FINALITY_UNCONFIRMED */
export const createFinality = ({
  context: { clock, log },
  network,
  hosts,
  window,
  finalOnly = false,
  aloneAfterMs,
  head,
  opinions: ask,
  confirmed: onConfirmed,
  lookAt,
}: FinalityOptions): ((signal?: AbortSignal) => Promise<BlockRef>) => {
  /** Hosts that contradicted another host about a block; which one was right is unknown. */
  const disputed = new Set<string>()
  let alone: { host: string; since: number; logged: boolean } | undefined
  let confirmed: BlockRef | undefined

  const dispute = ({ host, ref: one }: Opinion, others: readonly Opinion[]) => {
    for (const other of others) {
      if ((other.ref.number === one.number) === (other.ref.hash === one.hash)) continue
      disputed.add(host).add(other.host)
    }
  }

  /** Final block of the only host that answers, if that has lasted long enough and the host never contradicted another. */
  const loneFinal = (opinions: readonly Opinion[]): BlockRef | undefined => {
    const [first] = opinions
    if (!first || opinions.some(({ host }) => host !== first.host)) {
      alone = undefined
      return undefined
    }
    if (alone?.host !== first.host) alone = { host: first.host, since: clock.now(), logged: false }
    if (aloneAfterMs === undefined || clock.now() - alone.since < aloneAfterMs || disputed.has(first.host))
      return undefined
    if (!alone.logged) log.warn({ network, host: first.host }, 'took the final block of the only host that answers')
    alone.logged = true
    return first.ref
  }

  /** The highest block that two hosts hold final, `undefined` if they have none in common. */
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
      `${describeDisagreement({ network, hosts, aloneAfterMs }, opinions, disputed)} Finality does not advance until then; the check is repeated.`,
    )

  return async (signal) => {
    const opinions = await ask(signal)
    const before = confirmed
    const common = await agreed(opinions, signal)
    if (common && common.number >= (confirmed?.number ?? 0)) onConfirmed?.(common)
    const found = common ?? loneFinal(opinions)
    if (found && found.number >= (confirmed?.number ?? 0)) confirmed = found
    const newest = found ? undefined : await head(signal)
    if (!confirmed || (newest && newest.number - confirmed.number > window)) throw unconfirmed(opinions)
    const highest = Math.max(...opinions.map(({ ref }) => ref.number))
    const still = before !== undefined && confirmed.number === before.number
    if (finalOnly && still && highest - confirmed.number > MAX_LAG) throw unconfirmed(opinions)
    return confirmed
  }
}
