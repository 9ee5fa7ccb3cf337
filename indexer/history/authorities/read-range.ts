/** One range of logs from one node, as rows: as wide as the node allows, and not below what it has. */
import type { Clock } from '../../../platform/clock.ts'
import { RpcAbsent, RpcError, RpcInconsistent, RpcTransportError } from '../../../platform/rpc/errors.ts'
import type { Node } from '../../../platform/rpc/pool.ts'
import type { AuthorityRow, BlockRef } from '../../../schema/block.ts'
import type { Network } from '../../../schema/networks.ts'
import { authorityTopics } from '../../../schema/registry/index.ts'
import { refOf } from '../../source/evm/heads.ts'
import type { RawHead } from '../../source/evm/raw.ts'
import { lowestWithLogs, proveLogsAt } from './floor.ts'
import type { Refusal } from './limits.ts'
import { askLogs } from './logs.ts'
import type { Step } from './plan.ts'
import { rowsOf } from './rows.ts'
import { createWidth, type Width } from './width.ts'

export type Range = {
  to: number
  last: BlockRef
  rows: AuthorityRow[]
  logs: number
  malformed: number
  host: string
}

export type RangeReader = {
  /** @throws RpcAbsent when the node has no logs that far back; RpcInconsistent, RpcError, RpcTransportError. */
  read: (node: Node, step: Step, target: number) => Promise<Range>
  /** Lowest block with logs by host, of the hosts that were asked. */
  floors: ReadonlyMap<string, number>
}

/** More logs than this are not taken at once: what they become is held in memory. */
const MOST_LOGS = 20_000
/** Refusals of one node in a row before another one is asked. */
const MOST_REFUSALS = 40
/** One range in so many is followed by a proof that the node still has logs. */
const SPOT_CHECK = 16

export const createRangeReader = ({
  clock,
  network,
  blooms,
  verifyHeader,
  onRefused,
}: {
  clock: Clock
  network: Network
  /** Whether headers announce the logs of their blocks as Ethereum's do. */
  blooms: boolean
  verifyHeader: (header: RawHead) => void
  onRefused: (host: string, refusal: Refusal['kind']) => void
}): RangeReader => {
  const widths = new Map<string, Width>()
  const floors = new Map<string, number>()
  const answers = new Map<string, number>()

  const widthOf = (host: string): Width => {
    const width = widths.get(host) ?? createWidth(clock.now)
    widths.set(host, width)
    return width
  }

  const floorOf = async (node: Node, from: number, target: number): Promise<number> => {
    const known = floors.get(node.host)
    if (known !== undefined || !blooms) return known ?? from
    const floor = await lowestWithLogs(node, from, target)
    floors.set(node.host, floor)
    return floor
  }

  /** The node said that it lacks what it seemed to have: it is measured again, and has to admit it. */
  const pruned = async (node: Node, from: number, target: number): Promise<never> => {
    const floor = await lowestWithLogs(node, from, target)
    floors.set(node.host, Math.max(floor, from + 1))
    throw new RpcAbsent(`logs of block ${from}`)
  }

  const spotCheck = async (node: Node, to: number) => {
    const answered = answers.get(node.host) ?? 0
    answers.set(node.host, answered + 1)
    if (!blooms || answered % SPOT_CHECK !== 0) return
    if ((await proveLogsAt(node, to, to)) !== 'lacks') return
    throw new RpcInconsistent('logs_silent', `block ${to} announces logs that are not answered`)
  }

  const ask = async (
    node: Node,
    { from, to: end, logs }: Step,
    target: number,
  ): Promise<Omit<Range, 'rows' | 'malformed' | 'last'> & { last: RawHead; found: Parameters<typeof rowsOf>[2] }> => {
    const width = widthOf(node.host)
    const filter = {
      addresses: logs.map(({ authority }) => authority),
      topics: [...new Set(logs.flatMap(({ list }) => authorityTopics(list)))],
    }
    for (let refusals = 0; refusals < MOST_REFUSALS; refusals += 1) {
      const to = Math.min(end, from + width.blocks() - 1)
      const blocks = to - from + 1
      const began = clock.now()
      try {
        const answer = await askLogs(node, from, to, filter)
        const tooMany = answer.kind === 'logs' && answer.logs.length > MOST_LOGS && blocks > 1
        if (answer.kind === 'logs' && !tooMany) {
          width.answered(blocks, answer.logs.length, clock.now() - began)
          return { to, last: answer.last, found: answer.logs, logs: answer.logs.length, host: node.host }
        }
        const refusal: Refusal = answer.kind === 'refused' ? answer.refusal : { kind: 'results', upTo: undefined }
        onRefused(node.host, refusal.kind)
        if (refusal.kind === 'pruned') return await pruned(node, from, target)
        width.refused(from, blocks, refusal)
        if (blocks === 1) break
      } catch (error) {
        // Too much to find in time, or the node is in trouble: less is asked for either way.
        if (error instanceof RpcTransportError && error.failure === 'timeout') {
          onRefused(node.host, 'results')
          width.refused(from, blocks, { kind: 'results', upTo: undefined })
        }
        throw error
      }
    }
    throw new RpcError('transient', -32005, `${node.host} does not serve the logs of block ${from} alone`)
  }

  return {
    floors,
    read: async (node, step, target) => {
      if ((await floorOf(node, step.from, target)) > step.from) throw new RpcAbsent(`logs of block ${step.from}`)
      const { found, last, ...range } = await ask(node, step, target)
      verifyHeader(last)
      await spotCheck(node, range.to)
      return { ...range, last: refOf(last), ...(await rowsOf(node, network, found, verifyHeader)) }
    },
  }
}
