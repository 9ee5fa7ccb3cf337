/** Movements and approvals of tokens, by `eth_getLogs` over the topics in which a wallet can stand. */
import { EVENTS, type EventName } from '../../../../schema/registry/index.ts'
import type { LogFilter } from '../../logs/logs.ts'
import type { WalletHistory } from '../history.ts'
import { createLogWalk, type LogWalkOptions } from './log-walk.ts'

/** Topics of events. */
export const topicsOf = (...names: EventName[]): string[] => names.map((name) => EVENTS[name].topic)

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

/** An address as a topic has it. */
export const topicOf = (address: string): string => `0x${address.slice(2).padStart(64, '0')}`

/** Positions cannot be joined by "or": each has a question of its own, all in one POST. */
const filtersOf = (wallet: string): LogFilter[] => {
  const topic = topicOf(wallet)
  return [
    { topics: [SIGNED_FOR, [topic]] },
    { topics: [GIVEN, null, [topic]] },
    { topics: [NUMBERED, null, null, [topic]] },
  ]
}

/** Works on any node that keeps logs, and takes longest: the whole chain is walked for each wallet. */
export const createLogHistory = (options: LogWalkOptions): WalletHistory => ({
  name: 'logs',
  shows: ['tokens'],
  offered: async () => true,
  find: createLogWalk(options, (wallet) => ({ filters: filtersOf(wallet) })),
})
