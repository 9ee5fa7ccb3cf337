/**
 * Rebuilds every table of a network from the bus. An ingest of the next epoch reads the topics from their beginning into another
 * database while scorers run. When it has caught up, scorers wait while it reads the rest; then the new tables replace those in use. If it
 * is interrupted before that, the next run continues.
 *
 * The past tier is not rebuilt: its rows replace themselves, and its topic may have been created again since.
 */
import { randomUUID } from 'node:crypto'
import type { Bus } from '../../../../platform/bus/bus.ts'
import type { Context } from '../../../../platform/context/context.ts'
import { OperatorError } from '../../../../platform/errors.ts'
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import { TABLES } from '../../../../schema/block.ts'
import type { Network } from '../../../../schema/networks.ts'
import { currentEpoch } from '../../position/epoch.ts'
import { noStep, type OnStep } from '../../steps.ts'
import { createClaim } from '../claim.ts'
import { assertFinished, DERIVED, draftOf, homeOf, positionOf } from '../rebuild.ts'
import { currentRebuild, type RebuildState, rebuildRunning } from '../states.ts'
import { asShortError, assertComplete, type Compared, compareRows } from './complete.ts'
import { type Fill, startFill } from './fill.ts'
import { takeOver } from './take-over.ts'

const CREATE_DATABASE = readSql(import.meta.url, '../sql/create-database.sql')
const DROP_DATABASE = readSql(import.meta.url, '../sql/drop-database.sql')
const DATABASES = readSql(import.meta.url, './sql/databases.sql')

/** If a catch-up took less than this, scorers need not wait long for the rest, ms. */
const SHORT_MS = 10_000

type FromBusDeps = {
  store: Store
  context: Context
  bus: Bus
  /** Stops it at its next safe point. */
  signal: AbortSignal
  /** Number of messages in the new tables, and in total. */
  progress: (done: number, all: number) => void
  /** Opens another database of the same server or folder, with all tables. */
  openDraft: (database: string) => Promise<Store>
  onStep?: OnStep
  /** Steps of the ingest that fills the new tables. */
  onFillStep?: OnStep
}

/** Result of a run. `prepared` leaves the tables in use unchanged; the next run continues with the filled ones. */
export type FromBusOutcome =
  | { kind: 'done' | 'prepared'; compared: Compared[] }
  /** `completed`: finished the exchange of an earlier run. */
  | { kind: 'completed' | 'interrupted' }

const epochName = (epoch: number): string => `epoch ${epoch}`
const epochOf = ({ position }: RebuildState): number => Number(position.replace('epoch ', ''))

/** Whether the new tables cannot be filled further, so that the next run must start from scratch. */
const isFutile = (error: unknown): boolean =>
  error instanceof OperatorError && error.code.startsWith('ASSAY_INGEST_') && error.code !== 'ASSAY_INGEST_GAP'

/**
 * @param prepareOnly fills and compares the new tables without exchanging them
 * @throws OperatorError ASSAY_REBUILD_SHORT if the bus lacks blocks that the tables have, ASSAY_REBUILD_RUNNING,
 *   ASSAY_REBUILD_WRITER, ASSAY_REBUILD_CLUSTER, and errors that stop ingest
 */
export const rebuildFromBus = async (
  { store, context, bus, signal, progress, openDraft, onStep = noStep, onFillStep = noStep }: FromBusDeps,
  network: Network,
  prepareOnly = false,
): Promise<FromBusOutcome> => {
  const { clock } = context
  const home = await homeOf(store)
  const into = draftOf(home, network)
  const before = await currentRebuild(store, network)
  const epoch = (await currentEpoch(store, network)) + 1
  const fresh = { id: randomUUID(), what: 'bus', position: epochName(epoch), buckets: 0, steps: 0 } as const
  const claim = createClaim({ store, clock, signal }, network, before, fresh)

  const finish = async (of: number) => {
    await takeOver({ store, network, from: into, home, epoch: of, tables: [...TABLES, ...DERIVED], onStep })
    await claim.enter({ state: 'done' })
    await onStep('done')
    await store.command(DROP_DATABASE, { database: into })
  }
  if (before?.state === 'exchanging' && before.what !== 'bus') {
    throw new OperatorError(
      'ASSAY_REBUILD_HALF',
      `A rebuild of ${network} was interrupted while it exchanged the tables, and only the same command can complete it. Nothing was changed. Run first: assay reindex --network ${network}`,
    )
  }
  if (before?.state === 'exchanging') {
    await finish(epochOf(before))
    return { kind: 'completed' }
  }

  const exists = (await store.query(DATABASES, { database: into }, { route: 'databases' })).length > 0
  const resumed = exists && before?.what === 'bus' && before.state !== 'done' && before.position === fresh.position
  if (!resumed) {
    await claim.enter({ ...fresh, state: 'filling' })
    await store.command(DROP_DATABASE, { database: into })
    await store.command(CREATE_DATABASE, { database: into })
  } else await claim.enter({ state: 'filling' })
  await onStep('begun')

  let fill: Fill | undefined
  let futile = false
  const catchUp = (of: Fill) =>
    of.caughtUp(signal, async (done, all) => {
      await claim.confirm()
      progress(done, all)
    })
  try {
    const draft = await openDraft(into)
    fill = startFill({ context, bus, draft, onStep: onFillStep }, network, {
      epoch,
      group: `rebuild.${claim.state()?.id}`,
    })
    let beganAt: number
    do {
      beganAt = clock.now()
      if (!(await catchUp(fill))) return { kind: 'interrupted' }
    } while (clock.now() - beganAt >= SHORT_MS)
    await onStep('caught up')
    if (prepareOnly) {
      await assertComplete(store, draft, network, epoch)
      return { kind: 'prepared', compared: await compareRows(store, network, home, into) }
    }
    await claim.enter({ state: 'building' })
    await claim.waitForWriters()
    const position = await positionOf(store, network)
    if (!(await catchUp(fill))) return { kind: 'interrupted' }
    await fill.close()
    await assertFinished(draft, network)
    await assertComplete(store, draft, network, epoch)
    const compared = await compareRows(store, network, home, into)
    await claim.enter({ state: 'exchanging' })
    await onStep('exchanging')
    // A scorer may have considered this process dead if it was suspended for minutes.
    if ((await positionOf(store, network)) !== position) {
      await claim.enter({ state: 'paused' })
      throw rebuildRunning(network)
    }
    await finish(epoch)
    return { kind: 'done', compared }
  } catch (error) {
    if (isFutile(error)) futile = true
    throw asShortError(network, error)
  } finally {
    await fill?.close()
    const now = claim.state()?.state
    if (now === 'filling' || now === 'building') await claim.enter({ state: 'paused', ...(futile && { position: '' }) })
  }
}
