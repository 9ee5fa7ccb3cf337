/** The command line of a checkout, run as a separate process. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'

const CLI = join(import.meta.dirname, '../../../deploy/assay.js')

export type Outcome = { code: number | null; out: string; err: string }

/** Runs `assay` on a data folder to its end. `input` is its standard input. */
export const runAssay = (
  data: string,
  args: readonly string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<Outcome> =>
  new Promise((resolve) => {
    const { PATH = '' } = process.env
    const child = spawn(process.execPath, [CLI, ...args], { env: { PATH, ASSAY_DATA: data, ...env } })
    let out = ''
    let err = ''
    child.stdout.on('data', (chunk: Buffer) => {
      out += chunk.toString()
    })
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString()
    })
    child.on('close', (code) => resolve({ code, out, err }))
    child.stdin.on('error', () => undefined).end(input)
  })
