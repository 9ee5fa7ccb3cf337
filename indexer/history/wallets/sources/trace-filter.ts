/** `trace_filter` of Erigon, reth, Besu, Nethermind and anvil: every call from and to an account. */
import { z } from 'zod'
import type { Clock } from '../../../../platform/context/clock.ts'
import { RpcError, RpcInconsistent } from '../../../../platform/rpc/errors.ts'
import type { RpcPool } from '../../../../platform/rpc/pool.ts'
import { read } from '../../../source/answers.ts'
import { quantity } from '../../../source/evm/fetch.ts'
import { refusalOf } from '../../logs/limits.ts'
import { createWidth } from '../../logs/width.ts'
import { type Candidates, stoppedAt, type WalletHistory } from '../history.ts'
import { atOffering, createProbe } from '../rpc.ts'
import { createEffort } from './effort.ts'

const METHOD = 'trace_filter'
/** Traces per answer. */
const PAGE = 1_000
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

const traces = z.array(z.looseObject({ blockNumber: z.int() }))

type Side = 'fromAddress' | 'toAddress'

/** Walks the chain once for what the wallet sent and once for what it received, unless that takes too long. */
export const createTraceFilterHistory = ({ clock, pool }: { clock: Clock; pool: RpcPool }): WalletHistory => {
  const at = atOffering(pool, METHOD)
  const width = createWidth(clock.now)

  /** Blocks of one range, or that the range was too large. */
  const ask = (wallet: string, side: Side, from: number, to: number, after: number, signal: AbortSignal) =>
    at(async (node) => {
      const range = { fromBlock: quantity(from), toBlock: quantity(to), [side]: [wallet], after, count: PAGE }
      const began = clock.now()
      const [outcome] = await node.batch([{ method: METHOD, params: [range] }])
      if (outcome && 'error' in outcome) {
        const refusal = refusalOf(outcome.error)
        if (refusal?.kind === 'pruned') throw new RpcError('pruned', outcome.error.rpcCode, outcome.error.message)
        if (!refusal || to === from) throw outcome.error
        width.refused(from, to - from + 1, refusal)
        return undefined
      }
      const blocks = read(outcome, traces, METHOD).map(({ blockNumber }) => blockNumber)
      if (blocks.some((block) => block < from || block > to)) {
        throw new RpcInconsistent('history', `a call from outside blocks ${from} to ${to}`)
      }
      width.answered(to - from + 1, blocks.length, clock.now() - began)
      return blocks
    }, signal)

  return {
    name: 'trace_filter',
    shows: ['sent', 'native'],
    offered: createProbe(clock, at, METHOD, [
      { fromBlock: '0x0', toBlock: '0x0', toAddress: [ZERO_ADDRESS], after: 0, count: 1 },
    ]),
    find: async ({ wallet, to, maxBlocks, signal }): Promise<Candidates> => {
      const found = new Set<number>()
      for (const side of ['fromAddress', 'toAddress'] as const) {
        const effort = createEffort()
        let after = 0
        for (let from = 0; from <= to; ) {
          const end = Math.min(to, from + width.blocks() - 1)
          const blocks = await ask(wallet, side, from, end, after, signal)
          if (blocks === undefined) {
            after = 0
            continue
          }
          for (const block of blocks) found.add(block)
          if (found.size > maxBlocks) return { blocks: found, why: stoppedAt(maxBlocks) }
          if (blocks.length < PAGE) {
            const endless = effort(end - from + 1, to - end)
            if (endless !== undefined) return { blocks: found, why: endless }
            from = end + 1
            after = 0
            continue
          }
          // A full page: continue from its last block, which may be incomplete.
          const last = Math.max(...blocks)
          after = last === from ? after + PAGE : 0
          from = last
        }
      }
      return { blocks: found, why: undefined }
    },
  }
}
