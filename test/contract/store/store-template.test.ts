import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { createLog } from '../../../platform/context/log.ts'
import { createMetrics } from '../../../platform/context/metrics.ts'
import { statedFacts } from '../../../platform/store/migrate/facts.ts'
import { migrate } from '../../../platform/store/migrate/migrate.ts'
import { openStore } from '../../../platform/store/open.ts'
import { copyTemplate, hasCurrentFacts, storeTemplate } from '../../kit/store/store-template.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-template-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const contentOf = (path: string) => {
  const hash = createHash('sha256')
  for (const name of readdirSync(path, { recursive: true, encoding: 'utf8' }).sort()) {
    hash.update(name)
    if (statSync(join(path, name)).isFile()) hash.update(readFileSync(join(path, name)))
  }
  return hash.digest('hex')
}

test('two test files that need the template at once share one complete template, and write to separate copies', async () => {
  const cache = join(folder, 'cache')
  const [template, other] = await Promise.all([storeTemplate(cache), storeTemplate(cache)])
  expect(other).toBe(template)
  expect(readdirSync(cache).map((name) => join(cache, name))).toEqual([template])
  const before = contentOf(template)

  const path = join(folder, 'copy')
  copyTemplate(template, path)
  const log = createLog('silent')
  const store = await openStore({ path, readers: 1, metrics: createMetrics(), log })
  expect(hasCurrentFacts(path)).toBe(true)
  const held = () =>
    Promise.all(
      Object.keys(statedFacts()).map((table) =>
        store.query('SELECT * FROM {table:Identifier} ORDER BY ALL', { table }),
      ),
    )
  const facts = await held()
  expect(await migrate({ store, log })).toEqual([])
  expect(await held()).toEqual(facts)
  await store.command('TRUNCATE TABLE schema_migrations')
  await store.command('DROP TABLE blocks SYNC')
  await store.close()

  expect(await storeTemplate(cache)).toBe(template)
  expect(contentOf(template)).toBe(before)
})

test('a copy of the template is migrated again if the registry has changed', async () => {
  const path = join(folder, 'other')
  copyTemplate(await storeTemplate(), path)
  expect(hasCurrentFacts(path)).toBe(true)
  for (const file of readdirSync(path).filter((name) => name.endsWith('.json'))) rmSync(join(path, file))
  expect(hasCurrentFacts(path)).toBe(false)
})
