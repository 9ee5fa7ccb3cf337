import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const THROWN = /new (RetryableError|OperatorError|BugError)\(\s*'(ASSAY_[A-Z0-9_]+)'/g
const FAMILY = { RetryableError: 'retryable', OperatorError: 'operator', BugError: 'bug' } as const

const sources = ['schema', 'platform', 'indexer', 'scorer', 'api', 'deploy', 'test/lab'].flatMap((room) =>
  readdirSync(join(ROOT, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => readFileSync(join(ROOT, room, file), 'utf8')),
)
const documentation = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8')
const documented = new Map(
  [...documentation.matchAll(/^\| `(ASSAY_[A-Z0-9_]+)` +\| (\w+) +\|/gm)].map((m) => [m[1], m[2]] as const),
)

test('every error that can be thrown is in docs/errors.md, under its family', () => {
  const thrown = sources.flatMap((text) => [...text.matchAll(THROWN)])
  const wanted = thrown.map((m) => [m[2], FAMILY[m[1] as keyof typeof FAMILY]] as const)
  expect(wanted.filter(([code, family]) => documented.get(code) !== family)).toEqual([])
})

test('docs/errors.md lists no error that nobody throws', () => {
  const text = sources.join('\n')
  expect([...documented.keys()].filter((code) => !text.includes(`'${code}'`))).toEqual([])
})
