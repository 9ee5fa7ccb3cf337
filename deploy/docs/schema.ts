/**
 * `npm run schema`: writes `schema/schema.sql` from `schema/tables`, and the checksum of a migration that has none yet.
 * A migration that has one is frozen.
 */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../../platform/context/log.ts'
import { createMetrics } from '../../platform/context/metrics.ts'
import { readMigrations } from '../../platform/store/migrate/migrate.ts'
import { expandMacros } from '../../platform/store/migrate/statements.ts'
import { openStore } from '../../platform/store/open.ts'
import { createStatement } from '../../schema/tables/ddl.ts'
import { SCHEMA } from '../../schema/tables/index.ts'
import { dumpSchema } from './schema-dump.ts'

const CHECKSUMS = new URL('../../schema/migrations/SHA256SUMS', import.meta.url)
const DUMP = new URL('../../schema/schema.sql', import.meta.url)

/** Lines of sha256sum. Those of migrations that had one stay as they are. */
const checksums = (): string => {
  const before = readFileSync(CHECKSUMS, 'utf8').split('\n')
  const lines = readMigrations().map(
    ({ name, text }) =>
      before.find((line) => line.endsWith(`  ${name}`)) ??
      `${createHash('sha256').update(text).digest('hex')}  ${name}`,
  )
  return `${lines.join('\n')}\n`
}

const dump = async (): Promise<string> => {
  const path = mkdtempSync(join(tmpdir(), 'assay-schema-'))
  const store = await openStore({ path, metrics: createMetrics(), log: createLog('silent') })
  try {
    for (const object of SCHEMA) await store.command(expandMacros(createStatement(object), { kind: 'single' }))
    return await dumpSchema(store)
  } finally {
    await store.close()
    rmSync(path, { recursive: true, force: true })
  }
}

writeFileSync(CHECKSUMS, checksums())
writeFileSync(DUMP, await dump())
