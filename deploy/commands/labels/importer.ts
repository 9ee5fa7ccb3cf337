/**
 * Imports a list: every row is read, interpreted and staged in the store, then all rows are applied or none. An invalid row
 * refuses the whole list, because a list of another format must not affect verdicts.
 */
import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Clock } from '../../../platform/context/clock.ts'
import { messageOf, OperatorError } from '../../../platform/errors.ts'
import type { Store } from '../../../platform/store/store.ts'
import { infrastructureOf } from '../../../schema/registry/infrastructure.ts'
import {
  type Conflict,
  createLabelImport,
  type ListedLabel,
  type PlanRow,
} from '../../../scorer/ledger/labels/import/import.ts'
import { isAccusation } from '../../../scorer/ledger/labels/vocabulary.ts'
import { digestOf, interpret, listOf, type Mapping } from './interpret.ts'
import { type RawLabel, readLabels } from './read.ts'

const CHUNK = 5_000
/** Maximum number of refused rows in a report. */
const MAX_EXAMPLES = 50

/** A file to import, and how to interpret its columns and words. */
export type ImportRequest = Omit<Mapping, 'source'> & {
  source?: string | undefined
  version?: string | undefined
  /** Column or field of the addresses. Without it, it is found by its name. */
  addressColumn?: string | undefined
  replace?: boolean | undefined
  dryRun?: boolean | undefined
  /** Skips invalid rows instead of refusing the list. @default false */
  skipBad?: boolean | undefined
  /** Rows of the list. Without it, `file` is read. @throws RangeError if the document is not such a list */
  rows?: (() => AsyncIterable<RawLabel>) | undefined
  /** Labels to take from the list; rows with others are skipped. @default all */
  labels?: readonly string[] | undefined
  /** As in `ImportOptions`. */
  byVersion?: boolean | undefined
  /** Checks the report before anything is applied. If it throws, nothing is changed. Without it nothing is checked. */
  check?: ((report: ImportReport) => void) | undefined
}

/** An invalid row: its place in the file and the reason. */
export type Refusal = { place: string; why: string }

/** Result of an import or dry run. Lists of rows hold only the first few; counts are complete. */
export type ImportReport = {
  source: string
  version: string
  rows: number
  plan: PlanRow[]
  /** Skipped rows by reason. */
  skipped: { why: string; count: number }[]
  refused: { count: number; first: Refusal[] }
  conflicts: Conflict[]
  /** Accusations of public infrastructure by an authority. They are applied, and should be reviewed. */
  overruled: string[]
  applied: boolean
  /** Time of the written findings, ms since the epoch, to pass to `walletsAffected`. */
  at: number
}

const placeOf = ({ line, entry }: RawLabel): string => `line ${line}${entry === undefined ? '' : `, entry ${entry}`}`

const unreadable = (file: string, error: unknown): OperatorError =>
  new OperatorError(
    'ASSAY_LABELS_UNREADABLE',
    `${file} cannot be read: ${messageOf(error)}. Nothing was changed. Accepted formats: CSV with a header, JSON, JSON lines, or one address per line.`,
    { cause: error },
  )

/** A list of delisted addresses must not be imported as sanctioned. */
const refuseDelisted = ({ file, label, source = '' }: ImportRequest): void => {
  if (label !== 'sanctioned' || !/delist|removed|former/i.test(`${file} ${source}`)) return
  throw new OperatorError(
    'ASSAY_LABELS_DELISTED',
    `By its name, ${file} lists addresses removed from a sanctions list, which are not sanctioned. Nothing was changed. Import it with --label delisted.`,
  )
}

const empty = (file: string): OperatorError =>
  new OperatorError(
    'ASSAY_LABELS_EMPTY',
    `${file} contains no labels, so --replace would retract all labels of the list. Nothing was changed. Check the file, or use \`assay labels retract\`.`,
  )

/** Lists wrongly accuse routers and canonical tokens (a drainer pays out in USDC). Only authorities are believed there. */
const accusesInfrastructure = ({ network, address, label }: ListedLabel): boolean =>
  isAccusation(label) && label !== 'mixer' && infrastructureOf(network).has(address)

/** Interpreted rows of the file. @throws OperatorError for a broken document */
const interpretedRows = async function* ({ file, addressColumn, rows }: ImportRequest, mapping: Mapping) {
  try {
    for await (const raw of rows ? rows() : readLabels(file, addressColumn))
      yield { raw, outcome: interpret(raw, mapping) }
  } catch (error) {
    throw unreadable(file, error)
  }
}

/**
 * Reads, interprets and (unless `dryRun`, or a row is refused) applies a list.
 * @throws OperatorError ASSAY_LABELS_UNREADABLE for a file that is not a list, ASSAY_LABELS_DELISTED for delisted addresses
 *   labelled sanctioned, ASSAY_LABELS_EMPTY for a replacement without labels. Invalid rows are in the report.
 */
export const importLabels = async (
  { store, clock }: { store: Store; clock: Clock },
  request: ImportRequest,
): Promise<ImportReport> => {
  refuseDelisted(request)
  const named = listOf(request.file)
  const source = request.source ?? named.source
  const version =
    request.version ??
    named.version ??
    (await digestOf(createReadStream(request.file)).catch((error: unknown) => {
      throw unreadable(request.file, error)
    }))
  const staging = createLabelImport(store, {
    id: randomUUID(),
    detector: source,
    version,
    replace: request.replace ?? false,
    byVersion: request.byVersion,
  })
  const report: ImportReport = {
    source,
    version,
    rows: 0,
    plan: [],
    skipped: [],
    refused: { count: 0, first: [] },
    conflicts: [],
    overruled: [],
    applied: false,
    at: clock.now(),
  }
  const skipped = new Map<string, number>()
  const skip = (why: string) => skipped.set(why, (skipped.get(why) ?? 0) + 1)
  let chunk: ListedLabel[] = []
  try {
    for await (const { raw, outcome } of interpretedRows(request, { ...request, source })) {
      report.rows++
      if (outcome.kind === 'skipped') skip(outcome.why)
      else if (outcome.kind === 'refused') {
        report.refused.count++
        if (request.skipBad) skip(`invalid: ${outcome.why.replace(raw.address, '').trim()}`)
        if (report.refused.first.length < MAX_EXAMPLES)
          report.refused.first.push({ place: placeOf(raw), why: outcome.why })
      } else {
        const wanted = outcome.labels.filter(({ label }) => request.labels?.includes(label) ?? true)
        if (wanted.length < outcome.labels.length) skip('labels that are not taken from this list')
        const accusing = wanted.filter(accusesInfrastructure)
        const labels = wanted.filter((label) => label.class === 'asserted' || !accusing.includes(label))
        if (labels.length < wanted.length) skip('accuses known public infrastructure')
        for (const { network, address } of accusing.filter((label) => labels.includes(label) && !label.revoked)) {
          if (report.overruled.length < MAX_EXAMPLES) report.overruled.push(`${network} ${address}`)
        }
        chunk.push(...labels)
        if (chunk.length >= CHUNK) {
          await staging.stage(chunk)
          chunk = []
        }
      }
    }
    await staging.stage(chunk)
    report.skipped = [...skipped].map(([why, count]) => ({ why, count })).sort((a, b) => b.count - a.count)
    report.plan = await staging.plan()
    report.conflicts = await staging.conflicts()
    if (request.replace && !report.plan.some(({ fate }) => fate !== 'retracted')) throw empty(request.file)
    request.check?.(report)
    if (request.dryRun || (report.refused.count > 0 && !request.skipBad)) return report
    await staging.apply(report.at)
    return { ...report, applied: true }
  } finally {
    await staging.drop()
  }
}
