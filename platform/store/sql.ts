import { readFileSync } from 'node:fs'

/** Text of a `.sql` file next to the calling module, without comment lines: `readSql(import.meta.url, './sql/move.sql')`. */
export const readSql = (base: string, path: string): string =>
  readFileSync(new URL(path, base), 'utf8')
    .replace(/^\s*--.*\n/gm, '')
    .trim()
