/** `assay demo --check`: asks the running API about every actor of the scenario. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { OperatorError } from '../../platform/errors.ts'
import { checkScenario } from './check.ts'
import { filesOf } from './node/state.ts'

const written = <T>(dataDir: string, name: string): T => {
  try {
    return JSON.parse(readFileSync(join(dataDir, name), 'utf8')) as T
  } catch (cause) {
    throw new OperatorError(
      'ASSAY_DEMO_NOT_RUNNING',
      `There is no ${name} in ${dataDir}, so there is nobody to ask. Start the demonstration with npm start, or name --url and --key.`,
      { cause },
    )
  }
}

/** Returns the exit code: 0 when every answer is as expected. */
export const checkDemo = async (config: Config, given: { url?: string; key?: string }): Promise<number> => {
  const dataDir = config.ASSAY_DATA
  const apiUrl = given.url ?? written<{ url: string }>(dataDir, 'api.json').url
  const key =
    given.key ??
    config.ASSAY_BOOTSTRAP_KEYS?.[0]?.key.reveal() ??
    written<{ enterprise: string }>(dataDir, 'keys.json').enterprise
  const mismatches = await checkScenario({ scenarioFile: filesOf(dataDir).scenario, apiUrl, key })
  return mismatches.length === 0 ? 0 : 1
}
