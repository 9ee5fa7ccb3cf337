/**
 * Contracts whose creator was judged anew: their records rest on the creator's verdict, so they are queued to be analysed
 * again when it turns. A creator may have made any number of contracts, so the newest are queued and no more.
 */
import type { Clock } from '../../../platform/context/clock.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import type { Verdict } from '../../scoring/verdict.ts'
import { contractRegistry } from '../subject/registry.ts'
import { createBacklog } from './backlog.ts'

const JUDGED = readSql(import.meta.url, './sql/judged.sql')

/** Contracts queued at once, at most. */
const MOST_QUEUED = 1_000

/** Queues contracts of wallets whose verdict turned; returns how many. */
export type QueueJudged = (
  network: Network,
  verdicts: readonly Pick<Verdict, 'address' | 'status' | 'changed'>[],
) => Promise<number>

/** Queues by putting analyses off until now, so that the stream takes them as any other that is due. */
export const createQueueJudged =
  ({ store, clock }: { store: Store; clock: Clock }, limit = MOST_QUEUED): QueueJudged =>
  async (network, verdicts) => {
    const registry = contractRegistry(network)
    // One that is Fraud as before may have been stored by somebody who was stopped before the contracts were queued.
    const turned = verdicts.filter(({ changed, status }) => changed || status === 'Fraud')
    if (!registry || turned.length === 0) return 0
    const now = clock.now()
    const rows = await store.query<{ address: string }>(
      JUDGED,
      {
        network,
        wallets: turned.map(({ address }) => address),
        fraud: turned.flatMap(({ address, status }) => (status === 'Fraud' ? [address] : [])),
        limit,
        now,
      },
      { route: 'contract_judged' },
    )
    await createBacklog(store, network, registry).putOff(
      rows.map(({ address }) => ({ address, dueAt: now, attempts: 0, reason: 'refresh', settled: false })),
      now,
    )
    return rows.length
  }
