/** The schema of a live database as text, in the engine's own words: what two databases must agree in to be the same. */
import type { Store } from '../../platform/store/store.ts'

const NAMES = `
  SELECT name FROM system.tables
  WHERE database = currentDatabase() AND NOT startsWith(name, 'schema_') AND NOT startsWith(name, '.')
  ORDER BY name`

/** A setting that a migration changed stands behind the others: order them by name, so that both ways to a schema read alike. */
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
