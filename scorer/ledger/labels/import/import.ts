/**
 * Imports of lists: rows are staged first, so that what an import would do is asked of the store before anything changes,
 * and done by one statement. Memory holds one chunk of rows, whatever the size of the list.
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

/** What a list says of an address. */
export type ListedLabel = {
  network: Network
  /** Canonical. */
  address: string
  label: string
  class: 'asserted' | 'reported'
  confidence: number
  /** Where it is from: list, file, name, and what the list adds. */
  evidence: Record<string, unknown>
  /** The list itself says that this no longer holds. */
  revoked: boolean
}

/** `new`, `changed` and `unchanged` of the rows; `retracted` of what the list said before. */
export type PlanRow = {
  network: Network
  label: string
  fate: 'new' | 'changed' | 'unchanged' | 'retracted'
  count: number
}

/** Addresses of the list about which someone else says the opposite. */
export type Conflict = { label: string; other: string; detector: string; count: number }

type ImportOptions = {
  /** Names the import; nobody else may use it. */
  id: string
  /** Who speaks: the list. Its words replace what it said before. */
  detector: string
  /** Version of the list. */
  version: string
  /** Whether what the list no longer names is retracted. */
  replace: boolean
  /**
   * Whether a label of which only the version is new counts as changed and is written again. A list that is fetched every day
   * keeps the version in which it last changed. @default true
   */
  byVersion?: boolean | undefined
}

/** An import under way. Nothing that readers see changes before `apply`. */
export type LabelImport = {
  /** Keeps rows until `apply` or `drop`. */
  stage: (rows: readonly ListedLabel[]) => Promise<void>
  plan: () => Promise<PlanRow[]>
  conflicts: () => Promise<Conflict[]>
  /** Writes. `now` in ms since the epoch; repeating an import changes nothing. */
  apply: (now: number) => Promise<void>
  /** Forgets what was staged. */
  drop: () => Promise<void>
}

/**
 * Begins an import. It writes nothing yet; what `stage` has written has to be dropped in the end, however the import
 * went.
 */
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
