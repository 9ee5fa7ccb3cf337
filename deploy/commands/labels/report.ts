/** Report of an import as text for a terminal. */
import type { LabelList } from '../../../schema/facts/compliance/label-lists.ts'
import type { ListState } from '../../../scorer/ledger/labels/updates.ts'
import type { ImportReport } from './importer.ts'

const FATES = ['new', 'changed', 'unchanged', 'retracted'] as const

const table = (rows: readonly (readonly (string | number)[])[]): string[] => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => String(row[column]).length)))
  return rows.map((row) =>
    `  ${row.map((cell, column) => (typeof cell === 'number' ? String(cell).padStart(widths[column] ?? 0) : String(cell).padEnd(widths[column] ?? 0))).join('  ')}`.trimEnd(),
  )
}

const planTable = ({ plan }: ImportReport): string[] => {
  const keys = [...new Set(plan.map(({ network, label }) => `${network} ${label}`))]
  const rows = keys.map((key) => {
    const of = plan.filter(({ network, label }) => `${network} ${label}` === key)
    return [...key.split(' '), ...FATES.map((name) => of.find(({ fate }) => fate === name)?.count ?? 0)]
  })
  return rows.length === 0 ? ['  no labels'] : table([['network', 'label', ...FATES], ...rows])
}

const headline = ({ source, version, rows, applied, refused }: ImportReport, dryRun: boolean): string => {
  const of = `${rows} rows of ${source}, version ${version}`
  if (applied) return `Imported ${of}.`
  return refused.count > 0 && !dryRun ? `Nothing was imported from ${of}.` : `Dry run over ${of}: nothing was changed.`
}

/** Report of an import: changes of labels, then skipped and invalid rows. */
export const reportText = (report: ImportReport, dryRun: boolean): string => {
  const { skipped, refused, conflicts, overruled } = report
  const left = skipped.reduce((sum, { count }) => sum + count, 0)
  const more = refused.count - refused.first.length
  return [
    headline(report, dryRun),
    ...planTable(report),
    ...(left === 0
      ? []
      : [`Skipped ${left} rows:`, ...table(skipped.slice(0, 20).map(({ why, count }) => [count, why]))]),
    ...(skipped.length > 20 ? [`  and ${skipped.length - 20} more reasons`] : []),
    ...(refused.count === 0 ? [] : [`Invalid rows: ${refused.count}`]),
    ...refused.first.map(({ place, why }) => `  ${place}: ${why}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...(overruled.length === 0
      ? []
      : ['An authority accuses known public infrastructure. The labels apply; review these entries:']),
    ...overruled.map((place) => `  ${place}`),
    ...(conflicts.length === 0
      ? []
      : ['Other sources disagree (protection and delistings take precedence, see docs/labels.md):']),
    ...table(conflicts.map(({ count, label, other, detector }) => [count, `${label} here, ${other} by ${detector}`])),
  ].join('\n')
}

const HOUR_MS = 3_600_000

const stateText = (list: LabelList, state: ListState | undefined, now: number): string => {
  if (!state || state.confirmedAt === 0) return state ? `never applied, ${state.outcome}` : 'never fetched'
  const old = now - state.confirmedAt > list.maxAgeHours * HOUR_MS ? ', outdated' : ''
  const taken = `version ${state.version}, ${state.labels} labels, confirmed ${new Date(state.confirmedAt).toISOString()}${old}`
  return ['applied', 'unchanged'].includes(state.outcome)
    ? taken
    : `${taken}; last update ${state.outcome}: ${state.message}`
}

/** Lists with their licences, permitted use, and the result of their last update. */
export const listsText = (lists: readonly LabelList[], states: ReadonlyMap<string, ListState>, now: number): string =>
  lists
    .flatMap((list) => [
      `${list.name}: ${list.title}`,
      `  licence  ${list.licence}; use: ${list.use}`,
      `  state    ${stateText(list, states.get(list.name), now)}`,
    ])
    .join('\n')
