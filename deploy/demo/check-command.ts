/** `assay demo --check`: compares verdicts of the running API on every actor with the expected ones. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { OperatorError } from '../../platform/errors.ts'
import { checkScenario } from './check.ts'
import { filesOf } from './node/state.ts'

const readSavedJson = <T>(dataDir: string, name: string): T => {
  try {
    return JSON.parse(readFileSync(join(dataDir, name), 'utf8')) as T
  } catch (cause) {
    throw new OperatorError(
      'ASSAY_DEMO_NOT_RUNNING',
      `There is no ${name} in ${dataDir}, so no running demonstration was found. Start it with npm start, or set --url and --key.`,
      { cause },
    )
  }
}

/** Returns the exit code: 0 if every answer is as expected, otherwise 1. */
export const checkDemo = async (config: Config, given: { url?: string; key?: string }): Promise<number> => {
  const dataDir = config.ASSAY_DATA
  const apiUrl = given.url ?? readSavedJson<{ url: string }>(dataDir, 'api.json').url
  const key =
    given.key ??
    config.ASSAY_BOOTSTRAP_KEYS?.[0]?.key.reveal() ??
    readSavedJson<{ enterprise: string }>(dataDir, 'keys.json').enterprise
  const mismatches = await checkScenario({ scenarioFile: filesOf(dataDir).scenario, apiUrl, key })
  return mismatches.length === 0 ? 0 : 1
}
