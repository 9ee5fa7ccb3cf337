/**
 * `npm run schema`: writes `schema/schema.sql` from `schema/tables`, and the checksum of a migration that has none yet.
 * `npm run schema -- --baseline` also writes the first migration anew. Use it only before version 0.2.0 is released: from
 * then on the baseline is frozen, and every store in use was made by it.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createLog } from '../../platform/log.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { readMigrations } from '../../platform/store/migrate.ts'
import { openStore } from '../../platform/store/open.ts'
import { expandMacros } from '../../platform/store/statements.ts'
import { createStatement } from '../../schema/tables/ddl.ts'
import { SCHEMA } from '../../schema/tables/index.ts'
import { dumpSchema } from './schema-dump.ts'

const BASELINE = new URL('../../schema/migrations/0001_baseline.sql', import.meta.url)
const CHECKSUMS = new URL('../../schema/migrations/SHA256SUMS', import.meta.url)
const DUMP = new URL('../../schema/schema.sql', import.meta.url)

const baseline = (): string =>
  [
    '-- The schema of version 0.2.0, generated from schema/tables by `npm run schema`. Frozen: a change is a new migration.\n',
    SCHEMA.map((object) => `${createStatement(object)};\n`).join('\n'),
  ].join('\n')

/** Lines of sha256sum. Those of migrations that had one stay as they are. */
const checksums = (keep: boolean): string => {
  const before = keep && existsSync(CHECKSUMS) ? readFileSync(CHECKSUMS, 'utf8').split('\n') : []
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

const anew = process.argv.includes('--baseline')
if (anew) writeFileSync(BASELINE, baseline())
writeFileSync(CHECKSUMS, checksums(!anew))
writeFileSync(DUMP, await dump())
