/**
 * The home replica: the one that all processes use. Reads of one process must see what another has just stored, which only
 * holds on the same replica. The other replicas keep copies, can take over, and serve analysts. Table `schema_homes` records
 * the home replica, by compare-and-set like the chunk ledger. A process that reaches another replica refuses to start.
 */
import { type Clock, isWithin } from '../../context/clock.ts'
import { messageOf, OperatorError, RetryableError } from '../../errors.ts'
import { tableName } from '../http.ts'
import { expandMacros, type Layout } from '../migrate/statements.ts'
import { readSql } from '../sql.ts'
import type { Store } from '../store.ts'

const REPLICATED = readSql(import.meta.url, './sql/replicated.sql')
const HOME = readSql(import.meta.url, './sql/home.sql')
const CREATE_HOME = readSql(import.meta.url, './sql/create-home.sql')
const KEEP_TOKENS = `ALTER TABLE {name:Identifier} \${on_cluster} MODIFY SETTING \${deduplication_seconds}`

const HOMES = 'schema_homes'
/** Number of tables that catch up at a time. */
const CONCURRENCY = 8
/** How often a process checks that it still uses the home replica, ms. */
const CHECK_MS = 5_000

type Cluster = Extract<Layout, { kind: 'cluster' }>
type Home = { version: string; replica: string }

const tablesOf = (store: Store) =>
  store.query<{ name: string; forgets: number }>(REPLICATED, undefined, { route: 'replicated_tables' })

/** Waits until this replica has everything that any replica had acknowledged before. */
const catchUp = async (store: Store, names: readonly string[]): Promise<void> => {
  const left = [...names]
  const next = async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      try {
        await store.command(`SYSTEM SYNC REPLICA ${tableName(name)} LIGHTWEIGHT`)
      } catch (cause) {
        if (!(cause instanceof RetryableError)) throw cause
        throw new RetryableError(
          'ASSAY_STORE_REPLICA_BEHIND',
          `This replica does not have all of table ${name} yet: ${messageOf(cause)} Nothing was read. Start again. If it persists, check system.replication_queue.`,
          { cause },
        )
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, next))
}

const currentHome = async (store: Store): Promise<Home | undefined> =>
  (await store.query<Home>(HOME, undefined, { route: 'home' }))[0]

const otherReplica = (replica: string, home: string) =>
  new OperatorError(
    'ASSAY_STORE_REPLICA_OTHER',
    `CLICKHOUSE_URL connects to replica ${replica}, but all processes must use replica ${home}. Nothing was read or written on ${replica}. Set CLICKHOUSE_URL to ${home}. If ${home} is gone, stop every role and run assay migrate --take-over with the URL of its successor.`,
  )

const enterHome = async (store: Store, before: Home | undefined, replica: string): Promise<Home | undefined> => {
  const version = (BigInt(before?.version ?? 0) + 1n).toString()
  await store.insert(HOMES, `${JSON.stringify({ version, replica })}\n`, { token: `home:${version}` })
  await catchUp(store, [HOMES])
  return currentHome(store)
}

/** Wraps a store so that it refuses all calls once another replica is the home. */
const guarded = (store: Store, replica: string, clock: Clock): Store => {
  let checkedAt = clock.now()
  let refusal: OperatorError | undefined
  const check = async () => {
    if (refusal) throw refusal
    if (isWithin(clock, CHECK_MS, checkedAt)) return
    checkedAt = clock.now()
    const home = await currentHome(store)
    if (home && home.replica !== replica) {
      refusal = otherReplica(replica, home.replica)
      throw refusal
    }
  }
  return {
    ...store,
    query: async (sql, params, options) => {
      await check()
      return store.query(sql, params, options)
    },
    insert: async (table, rows, options) => {
      await check()
      await store.insert(table, rows, options)
    },
    command: async (sql, params, options) => {
      await check()
      await store.command(sql, params, options)
    },
    healthy: async () => refusal === undefined && store.healthy(),
  }
}

/**
 * Ensures that this is the home replica, and that it is complete.
 * @param takeOver makes this the home replica.
 * @throws OperatorError ASSAY_STORE_REPLICA_OTHER; RetryableError ASSAY_STORE_REPLICA_BEHIND
 */
export const settleOnReplica = async (
  store: Store,
  layout: Cluster,
  { replica, clock, takeOver = false }: { replica: string; clock: Clock; takeOver?: boolean },
): Promise<Store> => {
  const tables = await tablesOf(store)
  // A statement ON CLUSTER waits for all replicas, and one that is down must not keep processes from starting.
  if (!tables.some(({ name }) => name === HOMES)) await store.command(expandMacros(CREATE_HOME, layout))
  await catchUp(store, [HOMES])
  let home = await currentHome(store)
  if (home?.replica !== replica && (takeOver || home === undefined)) {
    home = await enterHome(store, home, replica)
    // Processes on the other replica notice within this time, if it still serves them.
    if (takeOver) await clock.sleep(2 * CHECK_MS)
  }
  if (home?.replica !== replica) throw otherReplica(replica, home?.replica ?? '')
  await catchUp(
    store,
    tables.map(({ name }) => name),
  )
  for (const { name } of tables.filter(({ forgets }) => forgets === 1)) {
    await store.command(expandMacros(KEEP_TOKENS, layout), { name })
  }
  return guarded(store, replica, clock)
}
