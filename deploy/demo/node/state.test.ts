import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { filesOf, genesisTime } from './state.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'assay-state-'))
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

test('keeps the genesis time of the first start, and refuses a state without one', () => {
  const { state, genesis } = filesOf(dataDir)
  expect(genesisTime(dataDir, 1)).toBe(1)
  expect(genesisTime(dataDir, 2)).toBe(2)
  writeFileSync(state, '{}')
  expect(genesisTime(dataDir, 3)).toBe(2)
  rmSync(genesis)
  expect(() => genesisTime(dataDir, 4)).toThrow(expect.objectContaining({ code: 'ASSAY_DEMO_STATE_OLD' }))
})
