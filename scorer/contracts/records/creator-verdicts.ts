/**
 * Requeues contracts when the verdict on their creator changes, because their records depend on it. A creator may have
 * any number of contracts, so only the newest are queued.
 */
import type { Clock } from '../../../platform/context/clock.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import type { Verdict } from '../../scoring/verdict.ts'
import { contractRegistry } from '../subject/registry.ts'
import { createBacklog } from './backlog.ts'

const CREATOR_VERDICT_CHANGED = readSql(import.meta.url, './sql/creator-verdict-changed.sql')

/** Maximum number of contracts queued at once. */
const MAX_QUEUED = 1_000

/**
 * Queues contracts created by wallets whose verdict changed, and returns how many. Also includes wallets that stay
 * Fraud: a previous run may have stored the verdict and crashed before it queued their contracts.
 */
export type RequeueByCreator = (
  network: Network,
  verdicts: readonly Pick<Verdict, 'address' | 'status' | 'changed'>[],
) => Promise<number>

/** Queues by postponing the analyses until now; the stream then picks them up like any other due analysis. */
export const createRequeueByCreator =
  ({ store, clock }: { store: Store; clock: Clock }, limit = MAX_QUEUED): RequeueByCreator =>
  async (network, verdicts) => {
    const registry = contractRegistry(network)
    const relevant = verdicts.filter(({ changed, status }) => changed || status === 'Fraud')
    if (!registry || relevant.length === 0) return 0
    const now = clock.now()
    const rows = await store.query<{ address: string }>(
      CREATOR_VERDICT_CHANGED,
      {
        network,
        wallets: relevant.map(({ address }) => address),
        fraud: relevant.flatMap(({ address, status }) => (status === 'Fraud' ? [address] : [])),
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
