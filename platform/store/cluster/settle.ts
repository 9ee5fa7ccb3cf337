import type { Clock } from '../../context/clock.ts'
import { OperatorError } from '../../errors.ts'
import type { Layout } from '../migrate/statements.ts'
import type { Store } from '../store.ts'
import { settleOnReplica } from './home.ts'
import { checkShape, refuseSeveralServers } from './shape.ts'

/**
 * Refuses unsupported servers before anything is read or created. On a cluster the replica catches up first.
 * @param takeOver makes this replica the home of all processes.
 * @throws OperatorError ASSAY_STORE_CLUSTER_SHAPE, ASSAY_STORE_LAYOUT_MIXED, ASSAY_STORE_SERVER_CHANGED,
 *   ASSAY_STORE_REPLICA_OTHER, ASSAY_TOOL_OPTION; RetryableError ASSAY_STORE_REPLICA_BEHIND
 */
export const settleOnServer = async (
  store: Store,
  layout: Layout,
  options: { clock: Clock; takeOver?: boolean },
): Promise<Store> => {
  if (options.takeOver && layout.kind === 'single') {
    throw new OperatorError(
      'ASSAY_TOOL_OPTION',
      'ASSAY_CLUSTER is not set, but --take-over only works with replicas of a cluster. Nothing was changed. Set ASSAY_CLUSTER, or omit --take-over.',
    )
  }
  if (store.embedded) {
    if (layout.kind === 'single') return store
    throw new OperatorError(
      'ASSAY_STORE_CLUSTER_SHAPE',
      'ASSAY_CLUSTER is set, but the embedded store cannot be replicated. Nothing was started. Set CLICKHOUSE_URL to a replica of the cluster, or unset ASSAY_CLUSTER.',
    )
  }
  await refuseSeveralServers(store)
  const replica = await checkShape(store, layout)
  return layout.kind === 'single' ? store : settleOnReplica(store, layout, { ...options, replica })
}
