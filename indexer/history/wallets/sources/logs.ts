/** Finds token movements and approvals by `eth_getLogs` over the topics that may contain a wallet. */
import { EVENTS, type EventName } from '../../../../schema/registry/index.ts'
import type { LogFilter } from '../../logs/logs.ts'
import type { WalletHistory } from '../history.ts'
import { createLogWalk, type LogWalkOptions } from './log-walk.ts'

/** Topics of events. */
export const topicsOf = (...names: EventName[]): string[] => names.map((name) => EVENTS[name].topic)

/** Events with a party in topics 1, 2 and 3. */
const FIRST_PARTY = topicsOf(
  'transfer',
  'approval',
  'approvalForAll',
  'wrapDeposit',
  'wrapWithdrawal',
  'permit2Approval',
  'permit2Permit',
  'permit2Lockdown',
)
const SECOND_PARTY = topicsOf('transfer', 'approval', 'approvalForAll', 'transferSingle', 'transferBatch')
const THIRD_PARTY = topicsOf('transferSingle', 'transferBatch', 'permit2Approval', 'permit2Permit')

/** An address as a topic. */
export const topicOf = (address: string): string => `0x${address.slice(2).padStart(64, '0')}`

/** Topic positions cannot be combined by "or", so each gets a filter of its own, all in one POST. */
const filtersOf = (wallet: string): LogFilter[] => {
  const topic = topicOf(wallet)
  return [
    { topics: [FIRST_PARTY, [topic]] },
    { topics: [SECOND_PARTY, null, [topic]] },
    { topics: [THIRD_PARTY, null, null, [topic]] },
  ]
}

/** Works on any node that keeps logs. The slowest source: the whole chain is walked for each wallet. */
export const createLogHistory = (options: LogWalkOptions): WalletHistory => ({
  name: 'logs',
  shows: ['tokens'],
  offered: async () => true,
  find: createLogWalk(options, (wallet) => ({ filters: filtersOf(wallet) })),
})
