import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { ARTIFACTS } from './artifacts.ts'

test.each(Object.entries(ARTIFACTS))(
  'the committed artifact of the %s is what its sources compile to',
  (_, artifact) => {
    expect(JSON.parse(readFileSync(artifact.file, 'utf8'))).toEqual(artifact.compile())
  },
  60_000,
)
