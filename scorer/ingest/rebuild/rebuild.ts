/**
 * Rebuilds the tables that final rows feed, next to the old ones, and exchanges them. With blocks to replace, it rebuilds the base
 * tables too.
 *
 * Meanwhile scorers of the network wait, new messages stay on the bus, and readers use the old tables until the exchange. If it is
 * interrupted before the exchange, the old tables are unchanged, and the next run continues unless rows have arrived since. If it is
 * interrupted during the exchange, scorers wait until the next run completes it.
 */
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../platform/context/clock.ts'
import { OperatorError } from '../../../platform/errors.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { TABLES } from '../../../schema/block.ts'
import type { Network } from '../../../schema/networks.ts'
import { RECOUNTS } from '../../../schema/tables/chain/recount.ts'
import { topics } from '../../../schema/topics.ts'
import { noStep, type OnStep } from '../steps.ts'
import { bucketsOf, recount, recountSteps } from './aggregates.ts'
import { createClaim } from './claim.ts'
import { exchange } from './exchange.ts'
import { type Mend, mendBase } from './mend.ts'
import { currentRebuild, type RebuildState, rebuildRunning } from './states.ts'

const sql = (name: string) => readSql(import.meta.url, `./sql/${name}.sql`)
const HOME = sql('home')
const POSITION = sql('position')
const UNFINISHED = sql('unfinished')
const CREATE_DATABASE = sql('create-database')
const DROP_DATABASE = sql('drop-database')
const CREATE_LIKE = sql('create-like')

type RebuildDeps = {
  store: Store
  clock: Clock
  /** Stops the rebuild at its next safe point. */
  signal: AbortSignal
  /** Number of steps done and in total. */
  progress: (done: number, all: number) => void
  onStep?: OnStep
}

type RebuildOutcome = 'done' | 'interrupted'

const refuse = (network: Network, what: string, name: string) =>
  new OperatorError(
    'ASSAY_REBUILD_UNFINISHED',
    `The scorer of ${network} left a ${what} (${name}) unfinished, and only it can complete it. Nothing was changed. Start the scorer, wait until it has caught up, and run the command again. If the scorer cannot complete it, rebuild all tables of the network: assay reindex --network ${network} --base`,
  )

/** The database in use. @throws OperatorError ASSAY_REBUILD_CLUSTER for tables that are replicated over a cluster */
export const homeOf = async (store: Store): Promise<string> => {
  const [row] = await store.query<{ database: string; replicated: number }>(HOME, undefined, { route: 'home' })
  if (row?.replicated === 1) {
    throw new OperatorError(
      'ASSAY_REBUILD_CLUSTER',
      'The tables are replicated over a cluster, where a rebuild in place is not supported. Nothing was changed. Fill a new database from the bus: start a second scorer with its CLICKHOUSE_URL, and switch the API to it when that scorer has caught up.',
    )
  }
  return row?.database ?? 'default'
}

/** Name of the database that holds a network's new tables until the exchange. */
export const draftOf = (home: string, network: Network): string => `${home}_rebuild_${network.toLowerCase()}`

const watched = (network: Network) => ({ network, topics: [topics.history(network), topics.head(network)] })

/** Position of a network's tables, as a text that changes with every chunk and move. */
export const positionOf = async (store: Store, network: Network): Promise<string> => {
  const [row] = await store.query<{ position: string }>(POSITION, watched(network), { route: 'rebuild_position' })
  return row?.position ?? ''
}

/** @throws OperatorError ASSAY_REBUILD_UNFINISHED */
export const assertFinished = async (store: Store, network: Network): Promise<void> => {
  const [open] = await store.query<{ what: string; name: string }>(UNFINISHED, watched(network), {
    route: 'unfinished',
  })
  if (open) throw refuse(network, open.what, open.name)
}

/** Tables that final rows of chain tables feed and that a rebuild recreates. */
export const DERIVED = RECOUNTS.map(({ table }) => table)
const tablesOf = (what: RebuildState['what']): readonly string[] =>
  what === 'base' ? [...TABLES, ...DERIVED] : DERIVED

/** Rebuilds a network, or completes the exchange of an earlier rebuild. With `mend` it always starts from scratch. */
export const rebuild = async (
  { store, clock, signal, progress, onStep = noStep }: RebuildDeps,
  network: Network,
  mend?: Mend,
): Promise<RebuildOutcome> => {
  const home = await homeOf(store)
  const into = draftOf(home, network)
  const what = mend ? 'base' : 'aggregates'
  const base = mend ? into : home
  const before = await currentRebuild(store, network)
  const fresh = { id: randomUUID(), what, position: '', buckets: 0, steps: 0 } as const
  const resumed = before && before.state !== 'done' && before.what === what && !mend ? before : fresh
  const { enter, confirm, waitForWriters, state } = createClaim({ store, clock, signal }, network, before, fresh)
  const confirming: OnStep = async (step) => {
    await onStep(step)
    await confirm()
  }

  const begin = async () => {
    const position = await positionOf(store, network)
    const now = state()
    if (now?.id === resumed.id && now.buckets > 0 && now.position === position) return
    await store.command(DROP_DATABASE, { database: into })
    await store.command(CREATE_DATABASE, { database: into })
    for (const table of tablesOf(what)) await store.command(CREATE_LIKE, { database: into, table })
    if (mend) await mendBase(store, mend, { network, home, into, onStep: confirming })
    const buckets = await bucketsOf(store, network, base)
    await enter({ ...fresh, state: 'building', id: randomUUID(), position, buckets })
    await onStep('begun')
  }

  const build = async (state: RebuildState): Promise<boolean> => {
    const { id, buckets } = state
    const steps = recountSteps(buckets)
    for (const [done, step] of steps.entries()) {
      if (done < state.steps) continue
      if (signal.aborted) {
        await enter({ state: 'paused', steps: done })
        return false
      }
      await recount(store, step, { network, base, into, buckets }, `rebuild:${id}:${step.name}`)
      await onStep(`counted ${step.name}`)
      await confirm({ steps: done + 1 })
      progress(done + 1, steps.length)
    }
    await enter({ state: 'building', steps: steps.length })
    return true
  }

  const finish = async (begun: RebuildState['what']) => {
    await exchange({ store, network, from: into, tables: tablesOf(begun), onStep })
    await enter({ state: 'done' })
    await onStep('done')
    await store.command(DROP_DATABASE, { database: into })
  }

  if (before?.state === 'exchanging' && before.what === 'bus') {
    throw new OperatorError(
      'ASSAY_REBUILD_HALF',
      `A rebuild of ${network} from the bus was interrupted while it exchanged the tables, and only the same command can complete it. Nothing was changed. Run: assay reindex --network ${network} --base`,
    )
  }
  if (before?.state === 'exchanging') {
    await finish(before.what)
    if (!mend) return 'done'
  }
  await enter({ ...(resumed === before ? {} : fresh), state: 'building' })
  try {
    await waitForWriters()
    await assertFinished(store, network)
    await begin()
    const begun = state()
    if (begun === undefined || !(await build(begun))) return 'interrupted'
    const { position } = begun
    await enter({ state: 'exchanging' })
    await onStep('exchanging')
    // A scorer may have considered this process dead if it was suspended for minutes.
    if ((await positionOf(store, network)) !== position) {
      await enter({ state: 'paused' })
      throw rebuildRunning(network)
    }
  } catch (error) {
    if (state()?.state === 'building') await enter({ state: 'paused' })
    throw error
  }
  await finish(what)
  return 'done'
}
