/**
 * Checks that Assay supports the server behind `CLICKHOUSE_URL`: a single server, or a replica of a cluster with one shard
 * (docs/adr/0019). Anything else is refused before a table is read: with tables on two shards, or on two unrelated servers,
 * verdicts would be wrong without an error.
 */
import { OperatorError } from '../../errors.ts'
import type { Layout } from '../migrate/statements.ts'
import { readSql } from '../sql.ts'
import type { Store } from '../store.ts'

const SHAPE = readSql(import.meta.url, './sql/shape.sql')
const SERVER = readSql(import.meta.url, './sql/server.sql')

/** Connections on which the server is asked for its name. A balancer over two servers goes unnoticed once in 128 times. */
const PROBES = 8

/** The server's description of itself and its tables: the row of `sql/shape.sql`. */
export type Shape = {
  database_engine: string | null
  /** Number of replicated and of other tables in the database, as text. */
  replicated: string
  plain: string
  /** Number of shards of the cluster, as text. */
  shards: string
  /** The server's macros; empty if not defined. */
  shard: string
  replica: string
}

const refuseShape = (message: string) => new OperatorError('ASSAY_STORE_CLUSTER_SHAPE', message)
const refuseLayout = (message: string) => new OperatorError('ASSAY_STORE_LAYOUT_MIXED', message)

/** Name of the layout's cluster; empty for a single server. */
const clusterOf = (layout: Layout): string => (layout.kind === 'cluster' ? layout.cluster : '')

/** @throws OperatorError ASSAY_STORE_CLUSTER_SHAPE, ASSAY_STORE_LAYOUT_MIXED */
export const judgeShape = (shape: Shape, layout: Layout): void => {
  const engine = shape.database_engine ?? ''
  if (engine === 'Replicated' || engine === 'Shared') {
    throw refuseShape(
      `The database has engine ${engine}, which replicates tables by itself; Assay does not support it. Nothing was created. Set CLICKHOUSE_URL to a database with engine Atomic.`,
    )
  }
  if (layout.kind === 'single') {
    if (shape.replicated === '0') return
    throw refuseLayout(
      'The tables are replicated but ASSAY_CLUSTER is not set, so rows of this process could be lost with one replica. Nothing was started. Set ASSAY_CLUSTER to the name of the cluster.',
    )
  }
  const { cluster } = layout
  if (shape.shards === '0') {
    throw refuseShape(
      `The server has no cluster ${cluster}. Nothing was created. Set ASSAY_CLUSTER to a cluster in its <remote_servers>.`,
    )
  }
  if (shape.shards !== '1') {
    throw refuseShape(
      `Cluster ${cluster} has ${shape.shards} shards, but Assay needs a single shard because it joins rows of different wallets. Nothing was created. Use a cluster with one shard and any number of replicas.`,
    )
  }
  if (shape.shard === '' || shape.replica === '') {
    throw refuseShape(
      `The server does not define the macros {shard} and {replica}, so the replicas of cluster ${cluster} would not find each other. Nothing was created. Add both to <macros> of every replica.`,
    )
  }
  if (shape.plain !== '0') {
    throw refuseLayout(
      `ASSAY_CLUSTER is ${cluster}, but ${shape.plain} tables of the database are not replicated. Nothing was changed. Unset ASSAY_CLUSTER, or set CLICKHOUSE_URL to an empty database and let Assay fill it from the bus.`,
    )
  }
}

/** @returns the replica's name, or '' on a single server. @throws OperatorError ASSAY_STORE_CLUSTER_SHAPE, ASSAY_STORE_LAYOUT_MIXED */
export const checkShape = async (store: Store, layout: Layout): Promise<string> => {
  const [shape] = await store.query<Shape>(SHAPE, { cluster: clusterOf(layout) }, { route: 'shape' })
  if (!shape)
    throw refuseShape(
      'The server does not report its name and macros. Nothing was created. Check the grants of its user.',
    )
  judgeShape(shape, layout)
  return layout.kind === 'cluster' ? shape.replica : ''
}

/** @throws OperatorError ASSAY_STORE_SERVER_CHANGED when several servers answer behind one address. */
export const refuseSeveralServers = async (store: Store): Promise<void> => {
  const answers = await Promise.all(
    Array.from({ length: PROBES }, () => store.query<{ server: string }>(SERVER, undefined, { route: 'server' })),
  )
  if (new Set(answers.flat().map(({ server }) => server)).size <= 1) return
  throw new OperatorError(
    'ASSAY_STORE_SERVER_CHANGED',
    'CLICKHOUSE_URL reaches different servers in turn. One may lack the newest rows of another, so nothing was started. Set it to one server or replica instead of a load balancer.',
  )
}
