/** Schema of a live database as text of the engine, to compare databases. */
import type { Store } from '../../platform/store/store.ts'

const NAMES = `
  SELECT name FROM system.tables
  WHERE database = currentDatabase() AND NOT startsWith(name, 'schema_') AND NOT startsWith(name, '.')
  ORDER BY name`

/** Orders settings by name, because the engine appends those that a migration changed. */
const orderSettings = (statement: string): string =>
  statement.replace(/^SETTINGS (.+)$/m, (_, settings: string) => `SETTINGS ${settings.split(', ').sort().join(', ')}`)

/** CREATE statements of every object but the migrator's own tables, in order of their names. */
export const dumpSchema = async (store: Store): Promise<string> => {
  const [{ database } = { database: '' }] = await store.query<{ database: string }>(
    'SELECT currentDatabase() AS database',
  )
  const statements: string[] = []
  for (const { name } of await store.query<{ name: string }>(NAMES)) {
    const [row] = await store.query<{ statement: string }>('SHOW CREATE TABLE {name:Identifier}', { name })
    statements.push(`${orderSettings(row?.statement.replaceAll(`${database}.`, '') ?? '')};\n`)
  }
  return statements.join('\n')
}
