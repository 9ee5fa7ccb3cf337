/** `npm run check` as a test, so that it runs beside the others instead of before them. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const { check }: { check: string } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts
const PATH = `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`

test.each(check.split(' && '))(
  '%s',
  async (command) => {
    const [program = '', ...given] = command.split(' ')
    const run = promisify(execFile)(program, given, { cwd: ROOT, env: { ...process.env, PATH }, maxBuffer: 64_000_000 })
    const output = await run.then(
      () => '',
      (error: { stdout?: string; stderr?: string }) => `${error.stdout ?? ''}${error.stderr ?? error}`,
    )
    expect(output).toBe('')
  },
  300_000,
)
