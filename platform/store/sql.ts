import { readFileSync } from 'node:fs'

/** Text of a `.sql` file beside the module that uses it: `readSql(import.meta.url, './sql/move.sql')`. Comment lines are dropped. */
export const readSql = (base: string, path: string): string =>
  readFileSync(new URL(path, base), 'utf8')
    .replace(/^\s*--.*\n/gm, '')
    .trim()
