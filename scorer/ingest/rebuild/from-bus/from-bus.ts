/**
 * Makes every table of a network again from the bus. An ingest of the next epoch reads the topics from their beginning into
 * another database, beside scorers at work. When it has caught up, scorers wait while it reads the rest, and what it has filled
 * takes the place of what is in use. Interrupted before that, the next run goes on where this one was.
 *
 * The past tier is not touched: its rows replace themselves, and the topic they came by may have been created again since.
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
import { type Fill, startFill } from './fill.ts'
import { asShort, assertHeld, type Compared, compareRows } from './held.ts'
import { takeOver } from './take-over.ts'

const CREATE_DATABASE = readSql(import.meta.url, '../sql/create-database.sql')
const DROP_DATABASE = readSql(import.meta.url, '../sql/drop-database.sql')
const DATABASES = readSql(import.meta.url, './sql/databases.sql')

/** A catch-up that took less than this (ms) leaves little for scorers to wait for. */
const SHORT_MS = 10_000

type FromBusDeps = {
  store: Store
  context: Context
  bus: Bus
  /** Ends it at its next safe point. */
  signal: AbortSignal
  /** Messages that are in the new tables, and how many there are. */
  progress: (done: number, all: number) => void
  /** Opens another database of the same server or folder, with all tables. */
  openDraft: (database: string) => Promise<Store>
  onStep?: OnStep
  /** Steps of the ingest that fills the new tables. */
  onFillStep?: OnStep
}

/** How a run ended. `prepared` leaves the tables in use as they are; the next run goes on from the filled ones. */
export type FromBusOutcome =
  | { kind: 'done' | 'prepared'; compared: Compared[] }
  /** An exchange that an earlier run began was completed. */
  | { kind: 'completed' | 'interrupted' }

const epochName = (epoch: number): string => `epoch ${epoch}`
const epochOf = ({ position }: RebuildState): number => Number(position.replace('epoch ', ''))

/** Whether the new tables cannot be filled further, so that the next run has to begin anew. */
const isFutile = (error: unknown): boolean =>
  error instanceof OperatorError && error.code.startsWith('ASSAY_INGEST_') && error.code !== 'ASSAY_INGEST_GAP'

/**
 * @param prepareOnly ends with the new tables filled and compared, and leaves those in use as they are.
 * @throws OperatorError ASSAY_REBUILD_SHORT when the bus lacks blocks that the tables hold, ASSAY_REBUILD_RUNNING,
 *   ASSAY_REBUILD_WRITER, ASSAY_REBUILD_CLUSTER, and what stops ingest
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
      `A rebuild of ${network} was interrupted while its tables were exchanged, and only the same command can complete that. Nothing was changed. Run first: assay reindex --network ${network}`,
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
      await assertHeld(store, draft, network, epoch)
      return { kind: 'prepared', compared: await compareRows(store, network, home, into) }
    }
    await claim.enter({ state: 'building' })
    await claim.quiet()
    const position = await positionOf(store, network)
    if (!(await catchUp(fill))) return { kind: 'interrupted' }
    await fill.close()
    await assertFinished(draft, network)
    await assertHeld(store, draft, network, epoch)
    const compared = await compareRows(store, network, home, into)
    await claim.enter({ state: 'exchanging' })
    await onStep('exchanging')
    // A process that was stopped for minutes may have been taken for dead by a scorer.
    if ((await positionOf(store, network)) !== position) {
      await claim.enter({ state: 'paused' })
      throw rebuildRunning(network)
    }
    await finish(epoch)
    return { kind: 'done', compared }
  } catch (error) {
    if (isFutile(error)) futile = true
    throw asShort(network, error)
  } finally {
    await fill?.close()
    const now = claim.state()?.state
    if (now === 'filling' || now === 'building') await claim.enter({ state: 'paused', ...(futile && { position: '' }) })
  }
}
