/**
 * Movements and approvals of tokens, by `eth_getLogs` over the topics in which a wallet can stand. The walk is the one that reads
 * the logs of authorities: ranges adapt to what endpoints allow, and an endpoint proves that it has the logs it is asked for.
 */
import type { Context } from '../../../../platform/context.ts'
import type { RpcPool } from '../../../../platform/rpc/pool.ts'
import type { Network } from '../../../../schema/networks.ts'
import { EVENTS, type EventName } from '../../../../schema/registry/index.ts'
import { createLogReader, type LogReader } from '../../logs/endpoints.ts'
import type { LogFilter } from '../../logs/logs.ts'
import { type Candidates, type Search, stoppedAt, type WalletHistory } from '../history.ts'
import { createEffort } from './effort.ts'

const topicsOf = (...names: EventName[]): string[] => names.map((name) => EVENTS[name].topic)

/** Events that name a party in their first, second and third topic. */
const SIGNED_FOR = topicsOf(
  'transfer',
  'approval',
  'approvalForAll',
  'wrapDeposit',
  'wrapWithdrawal',
  'permit2Approval',
  'permit2Permit',
  'permit2Lockdown',
)
const GIVEN = topicsOf('transfer', 'approval', 'approvalForAll', 'transferSingle', 'transferBatch')
const NUMBERED = topicsOf('transferSingle', 'transferBatch', 'permit2Approval', 'permit2Permit')

/** Positions cannot be joined by "or", so there is a walk for each. */
const filtersOf = (wallet: string): LogFilter[] => {
  const topic = `0x${wallet.slice(2).padStart(64, '0')}`
  return [
    { topics: [SIGNED_FOR, [topic]] },
    { topics: [GIVEN, null, [topic]] },
    { topics: [NUMBERED, null, null, [topic]] },
  ]
}

export const createLogHistory = ({
  context,
  network,
  pool,
  timeoutMs,
}: {
  context: Pick<Context, 'clock' | 'metrics'>
  network: Network
  pool: RpcPool
  /** Bound of one call, ms. @default that of the log reader */
  timeoutMs?: number
}): WalletHistory => {
  /** One for a wallet, whose walks follow each other: what endpoints have is found out once. */
  const openReader = () =>
    createLogReader({ context, network, pool, ...(timeoutMs !== undefined && { timeoutMs }) }, async (_, logs) =>
      logs.map(({ blockNumber }) => Number(blockNumber)),
    )

  const walk = async (
    reader: LogReader<number[]>,
    filter: LogFilter,
    { to, most, signal }: Search,
    found: Set<number>,
  ) => {
    const effort = createEffort()
    let missing: string | undefined
    for (let from = 0; from <= to; ) {
      const range = await reader.read({ from, to, filter }, to, signal)
      if ('made' in range) {
        for (const block of range.made) found.add(block)
        if (found.size > most) return stoppedAt(most)
        const endless = effort(range.to - from + 1, to - range.to)
        if (endless !== undefined) return endless
        from = range.to + 1
      } else if ('back' in range) from = range.back
      else {
        from = range.lowest
        missing = `no endpoint has logs of blocks below ${Math.min(range.lowest, to + 1)}`
      }
    }
    return missing
  }

  return {
    name: 'logs',
    shows: ['tokens'],
    offered: async () => true,
    find: async (search): Promise<Candidates> => {
      const blocks = new Set<number>()
      const reader = openReader()
      for (const filter of filtersOf(search.wallet)) {
        const why = await walk(reader, filter, search, blocks)
        if (why !== undefined) return { blocks, why }
      }
      return { blocks, why: undefined }
    },
  }
}
