/** `assay labels`: import, update, export and retraction of labels. Works beside a running `npm start`. */

import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../../../platform/config/config.ts'
import type { Context } from '../../../platform/context/context.ts'
import { messageOf, OperatorError } from '../../../platform/errors.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type LabelFilter, listLabels, retractLabels, type StoredLabel } from '../../../scorer/ledger/labels/list.ts'
import { listStates, noteQueued, unqueuedLists } from '../../../scorer/ledger/labels/updates.ts'
import { checkOutput, writing } from '../../command-line/output.ts'
import { createContext } from '../../process/process.ts'
import { openToolStore } from '../../process/store-socket.ts'
import { openSharedBus } from '../../roles/parts.ts'
import { optionError } from '../options.ts'
import { type ImportRequest, importLabels } from './importer.ts'
import { queueAffected } from './queue-affected.ts'
import { listsText, reportText } from './report.ts'
import { catalogueOf, listsNamed } from './update/catalogue.ts'
import { type UpdateOptions, updateList } from './update/update.ts'

type Tool = { context: Context; config: Config; store: Store }

const withStore = async <T>(config: Config, work: (tool: Tool) => Promise<T>): Promise<T> => {
  const context = createContext({ ASSAY_LOG_LEVEL: 'warn' }, 'labels')
  try {
    return await work({ context, config, store: await openToolStore(context, config) })
  } finally {
    await context.lifecycle.close()
  }
}

const say = (text: string) => process.stdout.write(`${text}\n`)
const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** Queues wallets with changed labels for scoring. @returns their number */
const rescoreAffected = ({ context, config, store }: Tool, since: number, detector?: string): Promise<number> =>
  queueAffected(store, async (network) => (await openSharedBus(context, config, [network])).producer(), since, detector)

/** Queues the wallets of an updated list. If this process ends first, a scorer does it later. */
const queueList = async (tool: Tool, name: string): Promise<number> => {
  const list = (await unqueuedLists(tool.store)).find(({ source }) => source === name)
  if (!list) return 0
  const count = await rescoreAffected(tool, list.since, name)
  await noteQueued(tool.store, list, tool.context.clock.now())
  return count
}

const sayRescored = (count: number) => {
  if (count > 0) say(`Queued ${counted(count, 'record')} for scoring.`)
}

/**
 * `assay labels import`: applies all rows or none, then queues affected wallets for scoring.
 * @throws OperatorError ASSAY_LABELS_REFUSED, ASSAY_TOOL_OPTION
 */
export const importCommand = (config: Config, request: ImportRequest): Promise<void> =>
  withStore(config, async (tool) => {
    const report = await importLabels({ store: tool.store, clock: tool.context.clock }, request)
    say(reportText(report, request.dryRun ?? false))
    if (report.applied) sayRescored(await rescoreAffected(tool, report.at, report.source))
    if (report.refused.count > 0 && !request.skipBad) {
      throw new OperatorError(
        'ASSAY_LABELS_REFUSED',
        `${report.refused.count} rows of ${request.file} are invalid, so nothing was imported. Correct them, or skip them with --skip-bad.`,
      )
    }
  })

/** Updates lists one by one. A failed list does not stop the others. */
export const updateCommand = (config: Config, names: readonly string[], options: UpdateOptions): Promise<void> => {
  const lists = listsNamed(catalogueOf(config), names.length > 0 ? names : config.ASSAY_LABELS_LISTS)
  return withStore(config, async (tool) => {
    const { context, store } = tool
    let failed: unknown
    for (const list of lists) {
      try {
        const update = await updateList(
          { store, clock: context.clock, signal: context.lifecycle.signal },
          list,
          options,
        )
        if (update.outcome === 'unchanged') {
          say(`${list.name}: unchanged since version ${update.version}.`)
          continue
        }
        say(reportText(update.report, options.dryRun ?? false))
        if (update.outcome === 'applied') sayRescored(await queueList(tool, list.name))
      } catch (error) {
        failed ??= error
        if (lists.length > 1) process.stderr.write(`${list.name}: ${messageOf(error)}\n`)
      }
    }
    if (failed !== undefined) throw failed
  })
}

/** Shows available lists and the result of their last update. */
export const listsCommand = (config: Config): Promise<void> => {
  const catalogue = catalogueOf(config)
  return withStore(config, async ({ store, context }) => {
    say(listsText([...catalogue.values()], await listStates(store), context.clock.now()))
  })
}

/** A CSV cell, quoted where necessary and never read as a formula by a spreadsheet. */
const cell = (value: string | number): string => {
  const text = typeof value === 'string' && /^[=+\-@\t]/.test(value) ? `'${value}` : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const COLUMNS = [
  'network',
  'address',
  'label',
  'detector',
  'class',
  'confidence',
  'detector_version',
  'evidence',
  'tx_hash',
  'block_number',
  'found_at',
] as const satisfies readonly (keyof StoredLabel)[]

const FORMATS = {
  csv: { head: `${COLUMNS.join(',')}\n`, line: (row: StoredLabel) => COLUMNS.map((name) => cell(row[name])).join(',') },
  jsonl: { head: '', line: (row: StoredLabel) => JSON.stringify(row) },
}

/**
 * `assay labels export`: writes active labels as CSV or JSON lines to a file or standard output.
 * @throws OperatorError ASSAY_TOOL_OPTION
 */
export const exportCommand = (
  config: Config,
  { format, out, filter }: { format: string; out?: string; filter: LabelFilter },
): Promise<void> => {
  const shape = format === 'csv' || format === 'jsonl' ? FORMATS[format] : undefined
  if (!shape) throw optionError(`--format must be csv or jsonl, not ${format}.`)
  if (out !== undefined) checkOutput(out)
  return withStore(config, async ({ store }) => {
    let count = 0
    const lines = async function* () {
      yield shape.head
      for await (const row of listLabels(store, filter)) {
        count++
        yield `${shape.line(row)}\n`
      }
    }
    if (out === undefined) {
      for await (const line of lines()) if (!process.stdout.write(line)) await once(process.stdout, 'drain')
      return
    }
    await writing(out, () => pipeline(lines, createWriteStream(out)))
    say(`Wrote ${counted(count, 'label')} to ${out}.`)
  })
}

/** `assay labels list`: shows active labels, up to a limit. */
export const listCommand = (
  config: Config,
  filter: LabelFilter,
  { limit, json }: { limit: number; json: boolean },
): Promise<void> =>
  withStore(config, async ({ store }) => {
    let count = 0
    for await (const row of listLabels(store, filter)) {
      if (++count > limit) break
      if (json) {
        say(JSON.stringify(row))
        continue
      }
      const { network, address, label, detector, detector_version, confidence, found_at } = row
      const found = `${row.class} ${confidence.toFixed(2)}  ${detector} ${detector_version}`
      say(`${network.padEnd(7)} ${address}  ${label.padEnd(16)} ${found}  ${new Date(found_at * 1_000).toISOString()}`)
    }
    if (json) return
    if (count === 0) say('No labels.')
    if (count > limit) say('There are more labels. Raise --limit, or export all with `assay labels export`.')
  })

/**
 * `assay labels retract`: marks labels as revoked, and queues affected wallets for scoring.
 * @throws OperatorError ASSAY_TOOL_OPTION
 */
export const retractCommand = (config: Config, filter: LabelFilter, all: boolean): Promise<void> => {
  const named =
    filter.detector !== undefined || filter.addresses.length + filter.labels.length + filter.networks.length > 0
  if (!named && !all)
    throw optionError('Nothing to retract was given. Name an address, --source, --label, --network or --all.')
  return withStore(config, async (tool) => {
    let count = 0
    for await (const _ of listLabels(tool.store, filter)) count++
    const now = tool.context.clock.now()
    if (count > 0) await retractLabels(tool.store, filter, now)
    say(`Retracted ${counted(count, 'label')}.`)
    if (count > 0) sayRescored(await rescoreAffected(tool, now, filter.detector))
  })
}
