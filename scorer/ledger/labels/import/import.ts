/**
 * Imports of lists. Rows are staged first, so that the store can compute the effect of an import before anything changes. One statement
 * applies it. Memory holds one chunk of rows, whatever the size of the list.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Network } from '../../../../schema/networks.ts'
import { ACCUSATIONS, GUARDS } from '../vocabulary.ts'

const PLAN = readSql(import.meta.url, './plan.sql')
const CONFLICTS = readSql(import.meta.url, './conflicts.sql')
const NAMES = readSql(import.meta.url, './names.sql')
const APPLY = readSql(import.meta.url, './apply.sql')
const DROP = 'DELETE FROM label_imports WHERE import = {import:String}'

/** Entry of a list. */
export type ListedLabel = {
  network: Network
  /** Canonical. */
  address: string
  label: string
  class: 'asserted' | 'reported'
  confidence: number
  /** Origin: list, file, name, and further fields of the list. */
  evidence: Record<string, unknown>
  /** Whether the list itself marks the entry as no longer valid. */
  revoked: boolean
}

/** Number of rows that are new, changed or unchanged, and of earlier entries of the list that would be retracted. */
export type PlanRow = {
  network: Network
  label: string
  fate: 'new' | 'changed' | 'unchanged' | 'retracted'
  count: number
}

/** Number of addresses of the list about which another source states the opposite. */
export type Conflict = { label: string; other: string; detector: string; count: number }

type ImportOptions = {
  /** Unique id of the import. */
  id: string
  /** The list. Its entries replace its earlier ones. */
  detector: string
  /** Version of the list. */
  version: string
  /** Whether entries that the list no longer contains are retracted. */
  replace: boolean
  /**
   * Whether a label of which only the version is new counts as changed and is written again. A list that is fetched daily keeps the
   * version of its last change. @default true
   */
  byVersion?: boolean | undefined
}

/** An import. Readers see nothing before `apply`. */
export type LabelImport = {
  /** Keeps rows until `apply` or `drop`. */
  stage: (rows: readonly ListedLabel[]) => Promise<void>
  plan: () => Promise<PlanRow[]>
  conflicts: () => Promise<Conflict[]>
  /** Applies the import. Repeating it has no effect. @param now ms since the epoch */
  apply: (now: number) => Promise<void>
  /** Deletes the staged rows. */
  drop: () => Promise<void>
}

/** Creates an import without writing anything. Always call `drop` in the end, whatever the outcome. */
export const createLabelImport = (
  store: Store,
  { id, detector, version, replace, byVersion = true }: ImportOptions,
): LabelImport => {
  const which = { import: id, detector, replace: replace ? 1 : 0, by_version: byVersion ? 1 : 0 }
  let chunks = 0
  return {
    stage: async (rows) => {
      if (rows.length === 0) return
      const text = rows.map(({ evidence, revoked, ...row }) =>
        JSON.stringify({
          import: id,
          ...row,
          detector_version: version,
          evidence: JSON.stringify(evidence),
          revoked: revoked ? 1 : 0,
        }),
      )
      await store.insert('label_imports', `${text.join('\n')}\n`, { token: `label_imports:${id}:${chunks++}` })
    },
    plan: () => store.query<PlanRow>(PLAN, which, { route: 'label_import_plan' }),
    conflicts: () =>
      store.query<Conflict>(
        CONFLICTS,
        { import: id, accusations: Object.keys(ACCUSATIONS), guards: GUARDS },
        { route: 'label_import_conflicts' },
      ),
    apply: async (now) => {
      await store.command(NAMES, { import: id }, { token: `label_import_names:${id}` })
      await store.command(APPLY, { ...which, list_version: version, now }, { token: `label_import:${id}` })
    },
    drop: () => store.command(DROP, { import: id }),
  }
}
