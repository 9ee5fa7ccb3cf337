/** The demonstration of networks as `assay demo --networks` plays it, without the process around it. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { networksToPlay } from '../../../deploy/commands/demo.ts'
import { playNetworks } from '../../../deploy/demo/networks/play.ts'
import { createContext } from '../../../deploy/process/process.ts'
import { NETWORK_CODES } from '../../../schema/networks.ts'
import { THOROUGH } from '../../kit/thorough.ts'

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-networks-demo-'))
  vi.stubEnv('TMPDIR', folder)
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

test.runIf(!THOROUGH)('the scenario of a network has the expected verdicts, and leaves nothing behind', async () => {
  await plays('TRON')
})
test.runIf(THOROUGH)('scenarios of all networks have the expected verdicts, and leave nothing behind', async () => {
  await plays('all')
})

const plays = async (networks: string) => {
  const context = createContext({ ASSAY_LOG_LEVEL: 'silent' }, 'demo')
  const lines: string[] = []
  const played = networksToPlay({ networks }) ?? []
  try {
    expect(await playNetworks(context, played, (line = '') => lines.push(line))).toEqual([])
  } finally {
    await context.lifecycle.close()
  }
  const text = lines.join('\n')
  for (const network of played) expect(text).toMatch(new RegExp(`^${network} {2}\\d+ blocks$`, 'm'))
  expect(text).toMatch(/ok {2}extorter .* Fraud .*blackmail_activities/)
  expect(text).not.toMatch(/^ *NO /m)
  expect(readdirSync(folder).filter((name) => name.startsWith('assay-demo-'))).toEqual([])
}

test('accepts the usual network names, plays each once, and suggests the right name for a wrong one', () => {
  expect(networksToPlay({ networks: ' All ' })).toEqual(NETWORK_CODES)
  expect(networksToPlay({ networks: 'tron, TON,tron' })).toEqual(['TRON', 'TON'])
  expect(networksToPlay({ check: true })).toBeUndefined()
  expect(() => networksToPlay({ networks: 'TRONN' })).toThrow(/Did you mean TRON\?/)
  for (const nothing of [{}, { check: true, networks: 'all' }]) {
    expect(() => networksToPlay(nothing)).toThrow(/requires either --check or --networks/)
  }
})
