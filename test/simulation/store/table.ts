/** A table of the store model: rows as inserted, tokens within a window, and the result of FINAL on versions. */

export type Row = Record<string, unknown>

export type Table = {
  name: string
  rows: () => readonly Row[]
  /** The newest version of each key; without deleted rows. Equal to `rows` for tables without versions. */
  final: () => readonly Row[]
  /** @returns rows that became visible or invisible: none if the token is remembered */
  insert: (rows: readonly Row[], token: string | undefined) => readonly Row[]
  /** Fills the window with other tokens. */
  turn: (count: number) => void
  /** Removes whole partitions: their rows and remembered tokens. */
  drop: (doomed: (row: Row) => boolean) => void
  /** Effect of a background merge, possible at any moment: drops versions that a newer one replaced. */
  merge: () => void
  clear: () => void
}

export type TableOptions = {
  name: string
  /** Columns of the sorting key, for engines that replace. */
  key?: readonly string[] | undefined
  version?: string | undefined
  /** Whether each network has its own parts. A token belongs to one part, else to the table. */
  byNetwork: boolean
  /** Tokens remembered by the whole table; 0 for none. */
  window: number
}

export const createTable = ({ name, key, version, byNetwork, window }: TableOptions): Table => {
  let rows: Row[] = []
  let newest = new Map<string, Row>()
  let remembered: string[] = []
  let tokens = new Set<string>()
  let others = 0

  const remember = (token: string) => {
    remembered.push(token)
    tokens.add(token)
    if (remembered.length <= window) return
    const oldest = remembered.shift()
    if (oldest !== undefined) tokens.delete(oldest)
  }

  const keyOf = (row: Row): string => (key ?? []).map((column) => String(row[column])).join('\u0000')
  const versionOf = (row: Row): bigint => BigInt(String(row[version ?? ''] ?? 0))

  const shows = (row: Row | undefined) => row !== undefined && Number(row.is_deleted ?? 0) === 0

  /** Returns whether visible rows changed. */
  const replace = (row: Row): boolean => {
    const before = newest.get(keyOf(row))
    if (before && versionOf(row) < versionOf(before)) return false
    newest.set(keyOf(row), row)
    return shows(before) !== shows(row)
  }

  return {
    name,
    rows: () => rows,
    final: () => (key ? [...newest.values()].filter(shows) : rows),
    insert: (added, token) => {
      const parts = byNetwork ? new Set(added.map((row) => row.network)) : new Set([undefined])
      return [...parts].flatMap((network) => {
        const own = byNetwork ? added.filter((row) => row.network === network) : added
        const name = `${network ?? ''} ${token}`
        if (own.length === 0 || (token !== undefined && window > 0 && tokens.has(name))) return []
        if (token !== undefined && window > 0) remember(name)
        rows.push(...own)
        return key ? own.filter(replace) : own
      })
    },
    turn: (count) => {
      for (let each = 0; each < Math.min(count, window); each += 1) {
        others += 1
        remember(`of others ${others}`)
      }
    },
    drop: (doomed) => {
      rows = rows.filter((row) => !doomed(row))
      newest = new Map([...newest].filter(([, row]) => !doomed(row)))
    },
    merge: () => {
      if (key) rows = [...newest.values()]
    },
    clear: () => {
      rows = []
      newest = new Map()
      remembered = []
      tokens = new Set()
    },
  }
}
