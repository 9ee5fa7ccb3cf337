import { vi } from 'vitest'
import { explain } from '../../../deploy/process/process.ts'
import { createProgram } from '../../../deploy/program.ts'
import type { Outcome } from './command-line.ts'

class Exit extends Error {
  readonly code: number
  constructor(code: number) {
    super('the command ended')
    this.code = code
  }
}

/** Runs `assay` with its arguments in this process, as `deploy/cli.ts` does; a separate process costs a second. */
export const runAssayHere = async (args: readonly string[], env: Record<string, string>): Promise<Outcome> => {
  const outcome: Outcome = { out: '', err: '', code: 0 }
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    outcome.out += text
    return true
  })
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    outcome.err += text
    return true
  })
  vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Exit(Number(code ?? 0))
  })
  const before = process.exitCode
  try {
    await createProgram().parseAsync(args, { from: 'user' })
    outcome.code = Number(process.exitCode ?? 0)
  } catch (error) {
    outcome.code = error instanceof Exit ? error.code : explain(error)
  } finally {
    process.exitCode = before
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  }
  return outcome
}
