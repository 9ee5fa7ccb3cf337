import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const THROWN = /new (RetryableError|OperatorError|BugError)\(\s*'(ASSAY_[A-Z0-9_]+)'/g
const FAMILY = { RetryableError: 'retryable', OperatorError: 'operator', BugError: 'bug' } as const

const sources = ['schema', 'platform', 'indexer', 'scorer', 'api', 'deploy'].flatMap((room) =>
  readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(ROOT, room, file), 'utf8')),
)

const thrown = new Set(
  sources.flatMap((text) => [...text.matchAll(THROWN)].map((m) => `${m[2]} ${FAMILY[m[1] as keyof typeof FAMILY]}`)),
)
const documented = new Set(
  [...readFileSync(join(ROOT, 'docs/errors.md'), 'utf8').matchAll(/^\| `(ASSAY_[A-Z0-9_]+)` \| (\w+) \|/gm)].map(
    (m) => `${m[1]} ${m[2]}`,
  ),
)

test('docs/errors.md lists every error that can be thrown, with its family, and no other', () => {
  expect([...documented].sort()).toEqual([...thrown].sort())
})
