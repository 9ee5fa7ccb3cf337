/** Reads one range of logs from one node: as wide as the node allows, and not below what it has. */
import type { Clock } from '../../../platform/context/clock.ts'
import { RpcAbsent, RpcError, RpcTransportError } from '../../../platform/rpc/errors.ts'
import type { Node } from '../../../platform/rpc/pool.ts'
import type { RawHead } from '../../source/evm/raw.ts'
import type { Refusal } from './limits.ts'
import { askLogs, type FoundLog, type LogFilter } from './logs.ts'
import { createProofs, type Proofs } from './proofs.ts'
import { createWidth, type Width } from './width.ts'

/** Blocks to read, both inclusive, and the filters. */
export type Span = { from: number; to: number; filters: readonly LogFilter[] }

/** Logs up to block `to`, whose header is `last`. */
export type FoundLogs = { to: number; last: RawHead; found: FoundLog[]; host: string }

/** Reads from a given node, and remembers per host the allowed width and the proofs. */
export type RangeReader = {
  /** @throws RpcAbsent when the node has no logs that far back; RpcInconsistent, RpcError, RpcTransportError. */
  read: (node: Node, span: Span, target: number) => Promise<FoundLogs>
  proofs: Proofs
}

/** Maximum number of logs taken at once, because the rows made of them are held in memory. */
const MAX_LOGS = 20_000
/** Consecutive refusals of one node before another one is asked. */
const MAX_REFUSALS = 40

/** A reader for one walk. A range is cut short if a node refuses it or returns too many logs. */
export const createRangeReader = ({
  clock,
  blooms,
  verifyHeader,
  onRefused,
}: {
  clock: Clock
  /** Whether headers announce the logs of their blocks as Ethereum's do. */
  blooms: boolean
  verifyHeader: (header: RawHead) => void
  onRefused: (host: string, refusal: Refusal['kind']) => void
}): RangeReader => {
  const widths = new Map<string, Width>()
  const proofs = createProofs(blooms)

  const widthOf = (host: string): Width => {
    const width = widths.get(host) ?? createWidth(clock.now)
    widths.set(host, width)
    return width
  }

  const ask = async (node: Node, { from, to: end, filters }: Span, target: number): Promise<FoundLogs> => {
    const width = widthOf(node.host)
    for (let refusals = 0; refusals < MAX_REFUSALS; refusals += 1) {
      const to = Math.min(end, from + width.blocks() - 1)
      const blocks = to - from + 1
      const began = clock.now()
      try {
        const answer = await askLogs(node, from, to, filters)
        const tooMany = answer.kind === 'logs' && answer.logs.length > MAX_LOGS && blocks > 1
        if (answer.kind === 'logs' && !tooMany) {
          width.answered(blocks, answer.logs.length, clock.now() - began)
          return { to, last: answer.last, found: answer.logs, host: node.host }
        }
        const refusal: Refusal = answer.kind === 'refused' ? answer.refusal : { kind: 'results', upTo: undefined }
        onRefused(node.host, refusal.kind)
        if (refusal.kind === 'pruned') return await proofs.admitted(node, from, target)
        width.refused(from, blocks, refusal)
        if (blocks === 1) break
      } catch (error) {
        // Too many results for the time limit, or the node is in trouble: a smaller range helps in both cases.
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
    proofs,
    read: async (node, span, target) => {
      if ((await proofs.floorOf(node, span.from, target)) > span.from) throw new RpcAbsent(`logs of block ${span.from}`)
      const found = await ask(node, span, target)
      verifyHeader(found.last)
      await proofs.answered(node, span.from, found.to, target)
      return found
    },
  }
}
