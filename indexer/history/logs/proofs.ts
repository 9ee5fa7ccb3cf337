/**
 * Tracks which answers of each endpoint are proved. An endpoint proves its first block, and later one in `PROOF_EVERY` answers:
 * it shows that it still has the logs of the lowest block it answered since the last proof, and thus of all above. If the
 * proof fails, all answers since the last proof are doubted and read again.
 */
import { RpcAbsent, RpcInconsistent } from '../../../platform/rpc/errors.ts'
import type { Node } from '../../../platform/rpc/pool.ts'
import { lowestWithLogs, proveLogsAt } from './floor.ts'

/** Answers of an endpoint between two proofs. */
const PROOF_EVERY = 16

/** Answers since the last proof, and their blocks. */
type Open = { from: number; to: number; answers: number }

/** Result of a search from block `from`. If `lowest` equals `from`, the host may have lower blocks, too. */
type Floor = { from: number; lowest: number }

/** Proofs of each host, for one walk upwards. If headers announce no logs, all answers are trusted. */
export type Proofs = {
  /** Lowest block from `from` on whose logs the host has, if known. */
  knownFloor: (host: string, from: number) => number | undefined
  /** Lowest block from `from` on whose logs the node has. */
  floorOf: (node: Node, from: number, target: number) => Promise<number>
  /**
   * The node answered a range. Proves it if due: at the first answer, after `PROOF_EVERY` answers, and at the end of the walk.
   * @throws RpcInconsistent `logs_silent` when the node does not have what it answered for.
   */
  answered: (node: Node, from: number, to: number, target: number) => Promise<void>
  /** The node admits that it lacks block `from`, which it seemed to have. @throws RpcAbsent always */
  admitted: (node: Node, from: number, target: number) => Promise<never>
  /** Proves all answers of a node so far. @throws RpcInconsistent `logs_silent` */
  prove: (node: Node, target: number) => Promise<void>
  /** Hosts with unproved answers. */
  open: () => string[]
  /** Doubts a host's answers since its last proof. */
  doubt: (host: string) => void
  /** Lowest block of an unproved answer. */
  openFrom: () => number | undefined
  /** Lowest block of answers doubted since the last call. */
  takeDoubted: () => number | undefined
}

const lower = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined || other === undefined ? (one ?? other) : Math.min(one, other)

/** @param blooms whether headers announce the logs of their blocks; otherwise nothing can be proved. */
export const createProofs = (blooms: boolean): Proofs => {
  const floors = new Map<string, Floor>()
  const proved = new Set<string>()
  const opens = new Map<string, Open>()
  let doubted: number | undefined

  const doubt = (host: string) => {
    doubted = lower(doubted, opens.get(host)?.from)
    opens.delete(host)
  }

  const knownFloor = (host: string, from: number): number | undefined => {
    const floor = floors.get(host)
    return floor && (floor.from <= from || floor.lowest > floor.from) ? floor.lowest : undefined
  }

  const measure = async (node: Node, from: number, target: number): Promise<number> => {
    const lowest = await lowestWithLogs(node, from, target)
    floors.set(node.host, { from, lowest })
    return lowest
  }

  const prove = async (node: Node, target: number) => {
    const open = opens.get(node.host)
    if (!open) return
    const first = await proveLogsAt(node, open.from, target)
    // The first block may be quiet where the last is not.
    const proof = first === 'quiet' ? await proveLogsAt(node, open.to, target) : first
    if (proof === 'lacks') {
      await measure(node, open.from, target)
      doubt(node.host)
      throw new RpcInconsistent(
        'logs_silent',
        `blocks from ${open.from} on announce logs that the node does not return`,
      )
    }
    proved.add(node.host)
    opens.delete(node.host)
  }

  return {
    knownFloor,
    floorOf: async (node, from, target) =>
      knownFloor(node.host, from) ?? (blooms ? await measure(node, from, target) : from),
    answered: async (node, from, to, target) => {
      if (!blooms) return
      const open = opens.get(node.host) ?? { from, to, answers: 0 }
      const now = { from: Math.min(open.from, from), to: Math.max(open.to, to), answers: open.answers + 1 }
      opens.set(node.host, now)
      if (!proved.has(node.host) || now.answers >= PROOF_EVERY || to >= target) await prove(node, target)
    },
    admitted: async (node, from, target) => {
      const lowest = Math.max(from + 1, await lowestWithLogs(node, from, target))
      floors.set(node.host, { from, lowest })
      doubt(node.host)
      throw new RpcAbsent(`logs of block ${from}`)
    },
    prove,
    open: () => [...opens.keys()],
    doubt,
    openFrom: () => [...opens.values()].map(({ from }) => from).reduce<number | undefined>(lower, undefined),
    takeDoubted: () => {
      const back = doubted
      doubted = undefined
      return back
    },
  }
}
