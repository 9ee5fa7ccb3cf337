import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { MUTANTS, type Mutant } from './list.ts'

const ROOT = join(import.meta.dirname, '../../..')
const LOADER = join(import.meta.dirname, 'loader.mjs')
const MAIN = join(import.meta.dirname, '../simulate.main.ts')

export const mutantOf = (name: string): Mutant => {
  const mutant = MUTANTS.find((one) => one.name === name)
  if (!mutant) throw new Error(`there is no mutant "${name}"; there are: ${MUTANTS.map((one) => one.name).join(', ')}`)
  return mutant
}

/**
 * Plays seeds with a bug in the product, in a separate process, until one fails.
 * @returns its output, and whether a seed failed
 */
export const playMutant = async (
  mutant: Mutant,
  args: readonly string[],
): Promise<{ found: boolean; output: string }> => {
  const child = promisify(execFile)(process.execPath, ['--import', LOADER, '--import', 'tsx', MAIN, ...args], {
    cwd: ROOT,
    env: { ...process.env, ASSAY_MUTANT: JSON.stringify(mutant.edits) },
    maxBuffer: 100_000_000,
  })
  return child.then(
    ({ stdout }) => ({ found: false, output: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => {
      if (code !== 1 || !stdout.includes('seed ')) throw new Error(`the simulation itself failed: ${stderr}${stdout}`)
      return { found: true, output: stdout }
    },
  )
}
