/**
 * Keeps lists up to date beside a scorer, and measures their age. Every scorer checks every five minutes whether a list is
 * due; the store ensures that only one of them fetches it.
 */

import type { Config } from '../../../../platform/config/config.ts'
import type { Context } from '../../../../platform/context/context.ts'
import { periodically } from '../../../../platform/context/periodic.ts'
import { isAssayError } from '../../../../platform/errors.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { LabelList } from '../../../../schema/facts/compliance/label-lists.ts'
import {
  ABANDONED_AFTER_MS,
  type ListState,
  listStates,
  noteQueued,
  unqueuedLists,
} from '../../../../scorer/ledger/labels/updates.ts'
import { catalogueOf, listsNamed } from './catalogue.ts'
import { updateList } from './update.ts'

const CHECK_EVERY_MS = 300_000
const HOUR_MS = 3_600_000
/** Pause after a failed fetch. */
const RETRY_MS = HOUR_MS / 2

/** Whether a list is due for an update. */
export const isDue = (state: ListState | undefined, everyMs: number, now: number): boolean => {
  if (!state) return true
  const age = now - state.at
  // The clock of the writer was ahead.
  if (age <= -ABANDONED_AFTER_MS) return true
  if (state.outcome === 'running') return age >= ABANDONED_AFTER_MS
  return age >= (state.outcome === 'failed' ? Math.min(RETRY_MS, everyMs) : everyMs)
}

type Scheduling = {
  context: Context
  config: Config
  store: Store
  /** Queues wallets for scoring whose labels of the list changed since then. @returns their number */
  rescore: (since: number, list: string) => Promise<number>
}

/** Creates a check that fetches due lists and updates metrics. A failed list does not make it throw. */
export const createListKeeper = ({ context, config, store, rescore }: Scheduling): (() => Promise<void>) => {
  const { clock, log, metrics, lifecycle } = context
  const catalogue = catalogueOf(config)
  const everyMs = (config.ASSAY_LABELS_UPDATE_HOURS ?? 0) * HOUR_MS
  const wanted = everyMs > 0 ? listsNamed(catalogue, config.ASSAY_LABELS_LISTS) : []
  const updates = metrics.counter('assay_label_updates_total', 'Fetches of label lists', ['source', 'outcome'])
  const confirmed = metrics.gauge(
    'assay_label_list_confirmed_timestamp_seconds',
    'Last time that the source of a label list confirmed the stored list, or an update was applied; 0 for never',
    ['source'],
  )
  const maxAge = metrics.gauge('assay_label_list_max_age_seconds', 'Age at which a label list becomes outdated', [
    'source',
  ])

  /** Lists that this process applied and whose wallets it queues. Lists of other processes are queued only after a delay. */
  const own = new Set<string>()

  const queue = async () => {
    for (const list of await unqueuedLists(store)) {
      const { source, since, appliedAt } = list
      if (!own.has(source) && Math.abs(clock.now() - appliedAt) < ABANDONED_AFTER_MS) continue
      const wallets = await rescore(since, source)
      await noteQueued(store, list, clock.now())
      own.delete(source)
      log.info({ source, wallets }, 'queued wallets of a label list for scoring')
    }
  }

  const fetchList = async (list: LabelList) => {
    try {
      const update = await updateList({ store, clock, signal: lifecycle.signal }, list)
      updates.inc({ source: list.name, outcome: update.outcome })
      if (update.outcome === 'unchanged') return
      const { plan, conflicts, overruled } = update.report
      own.add(list.name)
      log.info({ source: list.name, version: update.version, plan, conflicts }, 'updated a label list')
      if (overruled.length > 0) log.warn({ source: list.name, overruled }, 'an authority accuses public infrastructure')
    } catch (err) {
      const code = isAssayError(err) ? err.code : undefined
      // Another scorer is updating the list.
      if (code === 'ASSAY_LABELS_UPDATE_RUNNING' || lifecycle.signal.aborted) return
      updates.inc({ source: list.name, outcome: code === 'ASSAY_LABELS_SOURCE_FAILED' ? 'failed' : 'refused' })
      log.warn({ source: list.name, err }, 'failed to update a label list')
    }
  }

  return async () => {
    const before = await listStates(store)
    for (const list of wanted) {
      if (isDue(before.get(list.name), everyMs, clock.now())) await fetchList(list)
    }
    await queue().catch((err: unknown) => log.warn({ err }, 'failed to queue wallets of a label list, trying again'))
    const states = await listStates(store)
    for (const list of catalogue.values()) {
      const state = states.get(list.name)
      if (!state && !wanted.includes(list)) continue
      confirmed.set({ source: list.name }, (state?.confirmedAt ?? 0) / 1_000)
      maxAge.set({ source: list.name }, list.maxAgeHours * 3_600)
    }
  }
}

/** Checks lists now and every five minutes, until the lifecycle ends. */
export const scheduleUpdates = (scheduling: Scheduling): void => {
  const { context } = scheduling
  const look = createListKeeper(scheduling)
  void look().catch((err: unknown) => {
    if (!context.lifecycle.signal.aborted) context.log.warn({ err }, 'failed to look after label lists')
  })
  periodically(context, 'look after label lists', CHECK_EVERY_MS, look)
}
