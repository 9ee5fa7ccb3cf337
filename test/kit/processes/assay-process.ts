/** The roles as real processes, which tests can kill. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { freePort } from '../free-port.ts'
import { until } from '../until.ts'

const ROOT = join(import.meta.dirname, '../../..')
const CLI = join(ROOT, 'deploy/assay.js')
/** Several start at once, beside two brokers. */
const START_MS = 240_000

export type AssayProcess = {
  /** URL of health, readiness and metrics; of the API for that role. */
  url: string
  kill: (signal: NodeJS.Signals) => Promise<void>
  /** Stops the process until `resume`. */
  halt: () => void
  resume: () => void
  /** Exit code once the process has ended. */
  ended: Promise<number | null>
  output: () => string
}

/** Starts a role; resolves once it answers /health. */
export const startAssay = async (
  role: 'indexer' | 'scorer' | 'api',
  env: Record<string, string>,
): Promise<AssayProcess> => {
  const port = await freePort()
  const child: ChildProcess = spawn(process.execPath, [CLI, role], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      ASSAY_LOG_LEVEL: 'warn',
      ASSAY_PLAIN_HTTP: 'true',
      ASSAY_PORT: String(port),
      ASSAY_OPS_PORT: String(port),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (data) => {
      text = `${text}${data}`.slice(-20_000)
    })
  }
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null
  const url = `http://127.0.0.1:${port}`
  await until(
    `${role} answers`,
    () => {
      if (hasEnded()) throw new Error(`${role} ended with ${child.exitCode}: ${text}`)
      return fetch(`${url}/health`)
        .then((response) => response.ok)
        .catch(() => false)
    },
    START_MS,
  ).catch((error: unknown) => {
    // Nothing else references it.
    child.kill('SIGKILL')
    throw new Error(`${role} does not answer; it wrote: ${text}`, { cause: error })
  })
  return {
    url,
    ended,
    output: () => text,
    halt: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    kill: async (signal) => {
      if (hasEnded()) return
      child.kill(signal)
      await ended
    },
  }
}
