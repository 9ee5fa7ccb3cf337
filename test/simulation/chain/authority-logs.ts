/** Logs of authorities from simulated nodes: a few blocks at a time, late or not at all. */
import type { AuthorityLogReader } from '../../../indexer/history/authorities/reader.ts'
import { RetryableError } from '../../../platform/errors.ts'
import type { Block } from '../../../schema/block.ts'
import type { Faults } from '../virtual/faults.ts'
import type { Process } from '../virtual/process.ts'
import type { Scheduler } from '../virtual/scheduler.ts'
import type { Chain } from './chain.ts'

type Deps = { scheduler: Scheduler; faults: () => Faults; process: Process }

/** Maximum number of blocks per answer. */
const WIDEST = 8

const rowsOf = (block: Block | undefined) => block?.rows.authority ?? []

export const createSimulatedLogs = (chain: Chain, { scheduler, faults, process }: Deps): AuthorityLogReader => {
  const { random } = scheduler
  const unavailable = () => new RetryableError('ASSAY_RPC_UNAVAILABLE', 'no node answered')
  return {
    unprovedFrom: () => undefined,
    read: ({ from, to: end }, _target) =>
      process.call(`${chain.network} logs from ${from}`, {
        perform: () => {
          if (random.next() < faults().nodeFault) throw unavailable()
          const { block, blocks } = chain.now()
          // There are no logs below the first known block of the chain.
          const first = Math.max(from, blocks[0]?.number ?? 0)
          const to = Math.min(end, first + random.below(WIDEST))
          const last = block(to)
          if (!last) throw new Error(`the walk asks ${chain.network} for blocks up to ${end}, which it does not have`)
          const rows = Array.from({ length: to - first + 1 }, (_, index) => rowsOf(block(first + index))).flat()
          const { number, hash, parentHash, time } = last
          return {
            to,
            last: { number, hash, parentHash, time },
            rows,
            logs: rows.length,
            malformed: 0,
            host: 'simulated',
          }
        },
        lost: unavailable,
        latencyMs: 15,
        quiet: true,
      }),
  }
}
