/**
 * Importing a list: every row is read and judged and staged in the store, then either all of it counts or nothing. A
 * broken row refuses the whole list, because a list that is not what it seems must not decide about anybody.
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
/** Refusals that are told one by one. */
const TOLD = 50

/** A file to import, and how its columns and words are to be read. */
export type ImportRequest = Omit<Mapping, 'source'> & {
  source?: string | undefined
  version?: string | undefined
  /** Column or field that holds the addresses, where its name does not say so. */
  addressColumn?: string | undefined
  replace?: boolean | undefined
  dryRun?: boolean | undefined
  /** Leaves broken rows out instead of refusing the list. */
  skipBad?: boolean | undefined
  /** Rows of the list, where they are not those of `file`. @throws RangeError when it is no such list. */
  rows?: (() => AsyncIterable<RawLabel>) | undefined
  /** The only labels taken from the list; rows with others are left out. @default all */
  labels?: readonly string[] | undefined
  /** As in `ImportOptions`. */
  byVersion?: boolean | undefined
  /** Looks at what the import would do, before it does; whatever it throws leaves everything as it was. */
  check?: ((report: ImportReport) => void) | undefined
}

/** A row that refuses its list: where it stands, and what is wrong with it. */
export type Refusal = { place: string; why: string }

/** What an import did or, on a dry run, would do. Lists of rows are cut after the first few; counts are whole. */
export type ImportReport = {
  source: string
  version: string
  rows: number
  plan: PlanRow[]
  /** Rows left out, by reason. */
  skipped: { why: string; count: number }[]
  refused: { count: number; first: Refusal[] }
  conflicts: Conflict[]
  /** Public infrastructure that an authority accuses: it is believed, and a person should look. */
  overruled: string[]
  applied: boolean
  /** Version of the written findings, ms since the epoch: what `walletsAffected` is asked for. */
  at: number
}

const placeOf = ({ line, entry }: RawLabel): string => `line ${line}${entry === undefined ? '' : `, entry ${entry}`}`

const unreadable = (file: string, error: unknown): OperatorError =>
  new OperatorError(
    'ASSAY_LABELS_UNREADABLE',
    `${file} cannot be read: ${messageOf(error)}. Nothing was changed. Labels are CSV with a header, JSON, JSON lines, or one address a line.`,
    { cause: error },
  )

/** A list of the delisted names nobody who is sanctioned. */
const refuseDelisted = ({ file, label, source = '' }: ImportRequest): void => {
  if (label !== 'sanctioned' || !/delist|removed|former/i.test(`${file} ${source}`)) return
  throw new OperatorError(
    'ASSAY_LABELS_DELISTED',
    `${file} by its name holds addresses that were taken off a sanctions list, and delisted is not sanctioned. Nothing was changed. Import it with --label delisted.`,
  )
}

const empty = (file: string): OperatorError =>
  new OperatorError(
    'ASSAY_LABELS_EMPTY',
    `${file} holds no label, so --replace would retract everything the list said before. Nothing was changed. Check the file, or use \`assay labels retract\`.`,
  )

/** Lists err about routers and canonical tokens (a drainer pays out in USDC); authorities are believed even there. */
const accusesInfrastructure = ({ network, address, label }: ListedLabel): boolean =>
  isAccusation(label) && label !== 'mixer' && infrastructureOf(network).has(address)

/** Every row of the file, judged; broken documents become an OperatorError. */
const judged = async function* ({ file, addressColumn, rows }: ImportRequest, mapping: Mapping) {
  try {
    for await (const raw of rows ? rows() : readLabels(file, addressColumn))
      yield { raw, said: interpret(raw, mapping) }
  } catch (error) {
    throw unreadable(file, error)
  }
}

/**
 * Reads, judges and (unless `dryRun`, or a row is refused) applies a list.
 * @throws OperatorError ASSAY_LABELS_UNREADABLE for a file that is no list, ASSAY_LABELS_DELISTED for delisted addresses
 *   called sanctioned, ASSAY_LABELS_EMPTY for a replacement without a label. Broken rows are in the report.
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
    for await (const { raw, said } of judged(request, { ...request, source })) {
      report.rows++
      if (said.kind === 'skipped') skip(said.why)
      else if (said.kind === 'refused') {
        report.refused.count++
        if (request.skipBad) skip(`broken: ${said.why.replace(raw.address, '').trim()}`)
        if (report.refused.first.length < TOLD) report.refused.first.push({ place: placeOf(raw), why: said.why })
      } else {
        const wanted = said.labels.filter(({ label }) => request.labels?.includes(label) ?? true)
        if (wanted.length < said.labels.length) skip('other labels than this list is used for')
        const bold = wanted.filter(accusesInfrastructure)
        const labels = wanted.filter((label) => label.class === 'asserted' || !bold.includes(label))
        if (labels.length < wanted.length) skip('accuses public infrastructure that Assay knows')
        for (const { network, address } of bold.filter((label) => labels.includes(label) && !label.revoked)) {
          if (report.overruled.length < TOLD) report.overruled.push(`${network} ${address}`)
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
