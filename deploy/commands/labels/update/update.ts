/**
 * Updates a list: fetch, read, compare, apply. Nothing a source sends is believed for being sent: a list that cannot be
 * right (a web page, a fragment, a fifth of it gone, an older one again) is refused as a whole and changes nothing.
 */
import { createHash, randomUUID } from 'node:crypto'
import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { Clock } from '../../../../platform/context/clock.ts'
import { OperatorError, RetryableError } from '../../../../platform/errors.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { LabelList } from '../../../../schema/facts/compliance/label-lists.ts'
import { beginUpdate, type ListState, listStates, type UpdateEnd } from '../../../../scorer/ledger/labels/updates.ts'
import { type ImportReport, importLabels } from '../importer.ts'
import { type RawLabel, readLabels } from '../read.ts'
import { type DownloadDeps, type Downloaded, fetchDocument, type Validators } from './download.ts'
import { type DatedReader, sdnAdvancedReader, sdnReader } from './sdn.ts'
import { readXml } from './xml.ts'

/** What an update works with. */
export type UpdateDeps = DownloadDeps & { store: Store; clock: Clock }

/** How much of an update is done without somebody looking at it. */
export type UpdateOptions = {
  dryRun?: boolean | undefined
  /** Applies a list although a large part of it is gone or new: somebody has looked at it. */
  accept?: boolean | undefined
}

/** What became of a list. `previewed` is a dry run. */
export type ListUpdate =
  | { list: string; outcome: 'unchanged'; version: string }
  | { list: string; outcome: 'applied' | 'previewed'; version: string; report: ImportReport }

/** Share of its labels that a list may lose at once, and how many it may lose in any case. */
const MOST_LOST = 0.2
const FEW = 10
/** A list grows slowly: more new labels than it had, and more than this, are somebody else's. */
const MANY_NEW = 1_000
/** Share of rows that may be broken, and how many in any case: authorities make typing errors, too. */
const MOST_BROKEN = 0.02

type Document = LabelList['documents'][number] & { file: string; downloaded: Extract<Downloaded, { kind: 'fetched' }> }

const READERS: Partial<Record<LabelList['format'], () => DatedReader>> = {
  sdn: sdnReader,
  'sdn-advanced': sdnAdvancedReader,
}

const NOTHING = 'Nothing was changed.'
const HOW_TO_ACCEPT = (name: string) =>
  `Look at the list; if it is right, run \`assay labels update --source ${name} --accept\`.`

/** Digest of how a list is read: where that changed, the same bytes mean something else. */
const definitionOf = (list: LabelList): string =>
  createHash('sha256')
    .update(JSON.stringify([1, { ...list, title: '', licence: '', use: '', maxAgeHours: 0, maxBytes: 0 }]))
    .digest('hex')
    .slice(0, 16)

const validatorsOf = z.record(z.string(), z.object({ etag: z.string(), lastModified: z.string() }))

/** What to ask each document with; nothing where the list is read in another way than last time. */
const knownOf = (list: LabelList, before: ListState | undefined): Record<string, Validators> => {
  if (!before || before.validators === '' || before.definition !== definitionOf(list)) return {}
  const known = validatorsOf.safeParse(JSON.parse(before.validators))
  return known.success ? known.data : {}
}

/** All documents, or `undefined` when the server has no newer version of any. */
const fetchAll = async (
  deps: UpdateDeps,
  list: LabelList,
  before: ListState | undefined,
  folder: string,
): Promise<Document[] | undefined> => {
  const known = knownOf(list, before)
  const all = list.documents.every(({ url }) => known[url] !== undefined)
  const get = async (conditional: boolean) => {
    const documents: Document[] = []
    for (const [index, document] of list.documents.entries()) {
      const { url } = document
      const file = join(
        folder,
        `${index}-${basename(new URL(url).pathname)
          .replace(/[^\w.-]/g, '_')
          .slice(0, 80)}`,
      )
      const how = { url, file, hosts: list.hosts ?? [], maxBytes: list.maxBytes }
      const downloaded = await fetchDocument({ ...how, known: conditional ? known[url] : undefined }, deps)
      if (downloaded.kind === 'fetched') documents.push({ ...document, file, downloaded })
    }
    return documents
  }
  const documents = await get(all)
  if (documents.length === list.documents.length) return documents
  // Some documents changed: the list is what all of them state together.
  return documents.length === 0 ? undefined : get(false)
}

const rowsOf = async function* (list: LabelList, { file, network = '' }: Document): AsyncGenerator<RawLabel> {
  const reader = READERS[list.format]?.()
  const rows = reader ? readXml(createReadStream(file), reader) : readLabels(file, list.addressColumn)
  for await (const row of rows) yield row.network === '' ? { ...row, network } : row
}

/** The day a document states that it was published. */
const publishedOf = async ({ format }: LabelList, { file }: Document): Promise<string | undefined> => {
  const reader = READERS[format]?.()
  if (!reader) return undefined
  for await (const _ of readXml(createReadStream(file), reader)) if (reader.published() !== undefined) break
  return reader.published()
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** Days are those of the publisher's time zone. */
const TOMORROW_MS = 36 * 3_600_000

/**
 * Version of a list: the newest day it states, or that its server does, or a digest. A day to come is a slip, and would keep all
 * right ones out for being older.
 */
const versionOf = async (list: LabelList, documents: readonly Document[], now: number): Promise<string> => {
  const latest = new Date(now + TOMORROW_MS).toISOString().slice(0, 10)
  const days: string[] = []
  for (const document of documents) {
    const { lastModified } = document.downloaded.validators
    const stated = await publishedOf(list, document)
    if (stated !== undefined) days.push(stated)
    else if (!Number.isNaN(Date.parse(lastModified))) days.push(new Date(lastModified).toISOString().slice(0, 10))
  }
  const [first] = days.sort().reverse()
  const digest = createHash('sha256')
    .update(documents.map(({ downloaded }) => downloaded.sha256).join())
    .digest('hex')
  return days.length === documents.length && first !== undefined && first <= latest ? first : digest.slice(0, 12)
}

const countOf = ({ plan }: ImportReport, ...fates: ImportReport['plan'][number]['fate'][]): number =>
  plan.filter(({ fate }) => fates.includes(fate)).reduce((sum, { count }) => sum + count, 0)

/** @throws OperatorError for a list that cannot be right. */
const check = (list: LabelList, accept: boolean) => (report: ImportReport) => {
  const { name } = list
  const stated = countOf(report, 'new', 'changed', 'unchanged')
  if (stated === 0) {
    throw new OperatorError('ASSAY_LABELS_EMPTY', `${name} states no label. ${NOTHING} Look at its documents.`)
  }
  const broken = report.refused.count
  if (broken > Math.max(1, report.rows * MOST_BROKEN)) {
    const [first] = report.refused.first
    throw new OperatorError(
      'ASSAY_LABELS_REFUSED',
      `${broken} of ${report.rows} rows of ${name} are broken, so it is not what it seems (${first?.place}: ${first?.why.slice(0, 120)}). ${NOTHING} Look at its documents.`,
    )
  }
  const lost = countOf(report, 'retracted')
  const before = lost + countOf(report, 'changed', 'unchanged')
  if (!accept && lost > Math.max(FEW, before * MOST_LOST)) {
    throw new OperatorError(
      'ASSAY_LABELS_SHRUNK',
      `${name} has lost ${lost} of ${before} labels at once, which is more than a list loses in a day. ${NOTHING} ${HOW_TO_ACCEPT(name)}`,
    )
  }
  const added = countOf(report, 'new')
  if (!accept && before > 0 && added > Math.max(MANY_NEW, before)) {
    throw new OperatorError(
      'ASSAY_LABELS_GREW',
      `${name} has ${added} new labels beside ${before} known ones, which is more than a list gains in a day. ${NOTHING} ${HOW_TO_ACCEPT(name)}`,
    )
  }
}

type Fetched = Omit<UpdateEnd, 'outcome' | 'message'> & { update: ListUpdate }

const fetchAndApply = async (
  deps: UpdateDeps,
  list: LabelList,
  before: ListState | undefined,
  { dryRun = false, accept = false }: UpdateOptions,
): Promise<Fetched> => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-labels-'))
  try {
    const documents = await fetchAll(deps, list, dryRun ? undefined : before, folder)
    if (!documents) {
      const { version = '', definition = '', validators = '', labels = 0 } = before ?? {}
      const update = { list: list.name, outcome: 'unchanged' as const, version }
      return { update, version, definition, validators, labels }
    }
    const rows = async function* () {
      for (const document of documents) yield* rowsOf(list, document)
    }
    const version = await versionOf(list, documents, deps.clock.now()).catch((error: unknown) => {
      throw new OperatorError(
        'ASSAY_LABELS_UNREADABLE',
        `${list.name} cannot be read: ${error instanceof Error ? error.message : 'it is no such document'}. ${NOTHING} Look at its documents.`,
        { cause: error },
      )
    })
    if (!accept && before && DAY.test(before.version) && DAY.test(version) && version < before.version) {
      throw new OperatorError(
        'ASSAY_LABELS_OLDER',
        `${list.name} is of ${version}, and that of ${before.version} was taken before. ${NOTHING} ${HOW_TO_ACCEPT(list.name)}`,
      )
    }
    const report = await importLabels(deps, {
      file: list.documents.map(({ url }) => basename(new URL(url).pathname)).join(' '),
      source: list.name,
      version,
      rows,
      label: list.label,
      labels: list.labels,
      class: list.class,
      confidence: list.confidence,
      replace: list.complete,
      byVersion: false,
      skipBad: true,
      dryRun,
      check: check(list, accept),
    })
    const validators = Object.fromEntries(documents.map(({ url, downloaded }) => [url, downloaded.validators]))
    return {
      update: { list: list.name, outcome: dryRun ? 'previewed' : 'applied', version, report },
      version,
      definition: definitionOf(list),
      validators: JSON.stringify(validators),
      labels: countOf(report, 'new', 'changed', 'unchanged'),
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Updates a list, or (`dryRun`) reports what an update would do.
 * @throws OperatorError for a list that cannot be right, RetryableError for a source that does not answer, or
 *   ASSAY_LABELS_UPDATE_RUNNING while another update of it runs. In each case the labels are what they were.
 */
export const updateList = async (
  deps: UpdateDeps,
  list: LabelList,
  options: UpdateOptions = {},
): Promise<ListUpdate> => {
  const { store, clock } = deps
  const before = (await listStates(store)).get(list.name)
  if (options.dryRun) return (await fetchAndApply(deps, list, before, options)).update
  const begun = await beginUpdate(store, list.name, before, randomUUID(), clock.now())
  if (!begun) {
    throw new RetryableError(
      'ASSAY_LABELS_UPDATE_RUNNING',
      `Another update of ${list.name} is under way, so this one did not begin. ${NOTHING} Try again when it is done; one that died is given up after ten minutes.`,
    )
  }
  try {
    const { update, ...state } = await fetchAndApply(deps, list, before, options)
    await begun.end(clock.now(), { ...state, outcome: update.outcome === 'unchanged' ? 'unchanged' : 'applied' })
    return update
  } catch (error) {
    const outcome = error instanceof OperatorError ? 'refused' : 'failed'
    const message = error instanceof Error ? error.message.slice(0, 1_000) : ''
    await begun.end(clock.now(), { outcome, message })
    throw error
  }
}
