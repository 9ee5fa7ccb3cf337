/**
 * Updates a list: fetch, read, compare, apply. An implausible list (a web page, a fragment, one that lost a fifth of its labels,
 * an older version) is refused as a whole and changes nothing.
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

/** Dependencies of an update. */
export type UpdateDeps = DownloadDeps & { store: Store; clock: Clock }

/** Options of an update. Without them only plausible changes are applied. */
export type UpdateOptions = {
  dryRun?: boolean | undefined
  /** Applies a list that was reviewed, even if a large part of it is gone or new. @default false */
  accept?: boolean | undefined
}

/** Result of an update. `previewed` is a dry run. */
export type ListUpdate =
  | { list: string; outcome: 'unchanged'; version: string }
  | { list: string; outcome: 'applied' | 'previewed'; version: string; report: ImportReport }

/** Share of its labels that a list may lose at once, and how many it may lose in any case. */
const MAX_LOST = 0.2
const FEW = 10
/** A list grows slowly: more new labels than it had, and more than this, are somebody else's. */
const MANY_NEW = 1_000
/** Share of rows that may be broken, and how many in any case: authorities make typing errors, too. */
const MAX_BROKEN = 0.02

type Document = LabelList['documents'][number] & { file: string; downloaded: Extract<Downloaded, { kind: 'fetched' }> }

const READERS: Partial<Record<LabelList['format'], () => DatedReader>> = {
  sdn: sdnReader,
  'sdn-advanced': sdnAdvancedReader,
}

const NOTHING = 'Nothing was changed.'
const HOW_TO_ACCEPT = (name: string) =>
  `Review the list; if it is correct, run \`assay labels update --source ${name} --accept\`.`

/** Digest of the definition of a list. If it changes, the same documents have to be read again. */
const definitionOf = (list: LabelList): string =>
  createHash('sha256')
    .update(JSON.stringify([1, { ...list, title: '', licence: '', use: '', maxAgeHours: 0, maxBytes: 0 }]))
    .digest('hex')
    .slice(0, 16)

const validatorsOf = z.record(z.string(), z.object({ etag: z.string(), lastModified: z.string() }))

/** Validators of each document; none if the definition of the list has changed since. */
const knownOf = (list: LabelList, before: ListState | undefined): Record<string, Validators> => {
  if (!before || before.validators === '' || before.definition !== definitionOf(list)) return {}
  const known = validatorsOf.safeParse(JSON.parse(before.validators))
  return known.success ? known.data : {}
}

/** All documents, or `undefined` if none of them changed. */
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
  // Some documents changed. A list consists of all its documents, so all are fetched.
  return documents.length === 0 ? undefined : get(false)
}

const rowsOf = async function* (list: LabelList, { file, network = '' }: Document): AsyncGenerator<RawLabel> {
  const reader = READERS[list.format]?.()
  const rows = reader ? readXml(createReadStream(file), reader) : readLabels(file, list.addressColumn)
  for await (const row of rows) yield row.network === '' ? { ...row, network } : row
}

/** Publication date stated in a document. */
const publishedOf = async ({ format }: LabelList, { file }: Document): Promise<string | undefined> => {
  const reader = READERS[format]?.()
  if (!reader) return undefined
  for await (const _ of readXml(createReadStream(file), reader)) if (reader.published() !== undefined) break
  return reader.published()
}

const DAY = /^\d{4}-\d\d-\d\d$/

/** Tolerance for dates in the publisher's time zone. */
const TOMORROW_MS = 36 * 3_600_000

/**
 * Version of a list: the newest date in its documents or HTTP headers, or a digest. A future date is an error and is ignored,
 * because all correct versions would be refused as older.
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

/** @throws OperatorError for an implausible list */
const check = (list: LabelList, accept: boolean) => (report: ImportReport) => {
  const { name } = list
  const labels = countOf(report, 'new', 'changed', 'unchanged')
  if (labels === 0) {
    throw new OperatorError('ASSAY_LABELS_EMPTY', `${name} contains no labels. ${NOTHING} Check its documents.`)
  }
  const broken = report.refused.count
  if (broken > Math.max(1, report.rows * MAX_BROKEN)) {
    const [first] = report.refused.first
    throw new OperatorError(
      'ASSAY_LABELS_REFUSED',
      `${broken} of ${report.rows} rows of ${name} are invalid, so the list was refused (${first?.place}: ${first?.why.slice(0, 120)}). ${NOTHING} Check its documents.`,
    )
  }
  const lost = countOf(report, 'retracted')
  const before = lost + countOf(report, 'changed', 'unchanged')
  if (!accept && lost > Math.max(FEW, before * MAX_LOST)) {
    throw new OperatorError(
      'ASSAY_LABELS_SHRUNK',
      `${name} lost ${lost} of ${before} labels at once, more than is plausible. ${NOTHING} ${HOW_TO_ACCEPT(name)}`,
    )
  }
  const added = countOf(report, 'new')
  if (!accept && before > 0 && added > Math.max(MANY_NEW, before)) {
    throw new OperatorError(
      'ASSAY_LABELS_GREW',
      `${name} has ${added} new labels in addition to ${before} known ones, more than is plausible. ${NOTHING} ${HOW_TO_ACCEPT(name)}`,
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
        `${list.name} cannot be read: ${error instanceof Error ? error.message : 'it has another format'}. ${NOTHING} Check its documents.`,
        { cause: error },
      )
    })
    if (!accept && before && DAY.test(before.version) && DAY.test(version) && version < before.version) {
      throw new OperatorError(
        'ASSAY_LABELS_OLDER',
        `${list.name} has version ${version}, older than the stored version ${before.version}. ${NOTHING} ${HOW_TO_ACCEPT(list.name)}`,
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
 * Updates a list, or with `dryRun` reports the changes without applying them.
 * @throws OperatorError for an implausible list, RetryableError for a source that does not respond, or
 *   ASSAY_LABELS_UPDATE_RUNNING during another update of the list. Labels are unchanged in each case.
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
      `Another update of ${list.name} is running, so this one was not started. ${NOTHING} Try again when it has ended; a crashed update is abandoned after ten minutes.`,
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
