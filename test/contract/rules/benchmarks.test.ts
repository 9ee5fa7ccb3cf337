/** No test runs a benchmark; this one holds that the command finds them. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')

test('npm run bench without a name lists every benchmark', () => {
  const names = readdirSync(join(ROOT, 'test/bench')).flatMap((file) => /^(.+)\.bench\.ts$/.exec(file)?.[1] ?? [])
  const { stderr, status } = spawnSync(process.execPath, ['--import', 'tsx', 'test/bench/run.ts'], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  expect({ stderr, status }).toEqual({ stderr: `Name one of: ${names.join(', ')}\n`, status: 1 })
  expect(names).toContain('ingest')
})
