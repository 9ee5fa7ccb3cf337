/**
 * The replica that all processes work on. Reads of one process have to see what another has just stored, and only one and the same
 * replica promises that; the others keep copies, take over, and answer analysts. Which one it is stands in table `schema_homes`,
 * entered by compare-and-set as the chunk ledger is. A process that reaches another replica refuses to start.
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
/** Tables that catch up at a time. */
const AT_ONCE = 8
/** How often a process looks whether it still works on the right replica, ms. */
const LOOK_MS = 5_000

type Cluster = Extract<Layout, { kind: 'cluster' }>
type Home = { version: string; replica: string }

const tablesOf = (store: Store) =>
  store.query<{ name: string; forgets: number }>(REPLICATED, undefined, { route: 'replicated_tables' })

/** Waits until this replica has what any replica had acknowledged before. */
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
          `This replica does not have all of table ${name} yet: ${messageOf(cause)} Nothing was read. Start again; if it persists, look at system.replication_queue.`,
          { cause },
        )
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, next))
}

const currentHome = async (store: Store): Promise<Home | undefined> =>
  (await store.query<Home>(HOME, undefined, { route: 'home' }))[0]

const elsewhere = (replica: string, home: string) =>
  new OperatorError(
    'ASSAY_STORE_REPLICA_OTHER',
    `CLICKHOUSE_URL leads to replica ${replica}, and all processes work on replica ${home}. Nothing was read or written here. Name ${home} in CLICKHOUSE_URL; if it is gone, stop every role and run assay migrate --take-over with the URL of its successor.`,
  )

const enterHome = async (store: Store, before: Home | undefined, replica: string): Promise<Home | undefined> => {
  const version = (BigInt(before?.version ?? 0) + 1n).toString()
  await store.insert(HOMES, `${JSON.stringify({ version, replica })}\n`, { token: `home:${version}` })
  await catchUp(store, [HOMES])
  return currentHome(store)
}

/** The store, which refuses everything once another replica was chosen. */
const guarded = (store: Store, replica: string, clock: Clock): Store => {
  let lookedAt = clock.now()
  let refusal: OperatorError | undefined
  const look = async () => {
    if (refusal) throw refusal
    if (isWithin(clock, LOOK_MS, lookedAt)) return
    lookedAt = clock.now()
    const home = await currentHome(store)
    if (home && home.replica !== replica) {
      refusal = elsewhere(replica, home.replica)
      throw refusal
    }
  }
  return {
    ...store,
    query: async (sql, params, options) => {
      await look()
      return store.query(sql, params, options)
    },
    insert: async (table, rows, options) => {
      await look()
      await store.insert(table, rows, options)
    },
    command: async (sql, params, options) => {
      await look()
      await store.command(sql, params, options)
    },
    healthy: async () => refusal === undefined && store.healthy(),
  }
}

/**
 * Makes sure that this is the replica to work on, and that it lacks nothing.
 * @param takeOver make it the replica to work on.
 * @throws OperatorError ASSAY_STORE_REPLICA_OTHER; RetryableError ASSAY_STORE_REPLICA_BEHIND
 */
export const settleOnReplica = async (
  store: Store,
  layout: Cluster,
  { replica, clock, takeOver = false }: { replica: string; clock: Clock; takeOver?: boolean },
): Promise<Store> => {
  const tables = await tablesOf(store)
  // A statement for all replicas waits for all of them: one that is away must not keep processes from starting.
  if (!tables.some(({ name }) => name === HOMES)) await store.command(expandMacros(CREATE_HOME, layout))
  await catchUp(store, [HOMES])
  let home = await currentHome(store)
  if (home?.replica !== replica && (takeOver || home === undefined)) {
    home = await enterHome(store, home, replica)
    // Processes on the other replica notice within this time, if it still answers them.
    if (takeOver) await clock.sleep(2 * LOOK_MS)
  }
  if (home?.replica !== replica) throw elsewhere(replica, home?.replica ?? '')
  await catchUp(
    store,
    tables.map(({ name }) => name),
  )
  for (const { name } of tables.filter(({ forgets }) => forgets === 1)) {
    await store.command(expandMacros(KEEP_TOKENS, layout), { name })
  }
  return guarded(store, replica, clock)
}
