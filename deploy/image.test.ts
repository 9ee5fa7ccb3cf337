import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..')
const lines = (file: string) => readFileSync(join(ROOT, file), 'utf8').split('\n')

let folder = ''

/** The files the Dockerfile copies, without what .dockerignore leaves out. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-image-'))
  const ignored = lines('.dockerignore').filter((line) => line !== '')
  const copied = lines('deploy/Dockerfile').flatMap((line) => /^COPY (\S+) \1$/.exec(line)?.[1] ?? [])
  for (const name of ['package.json', ...copied]) {
    cpSync(join(ROOT, name), join(folder, name), {
      recursive: true,
      filter: (source) => !ignored.includes(relative(ROOT, source)),
    })
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const assay = (args: string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'deploy/cli.ts', ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, ASSAY_DATA: join(folder, 'data'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
    child.once('exit', (code) => resolve({ code, output }))
  })

/** Every service is on a port where nothing listens, so a role stops when it first connects: all its code is loaded by then. */
const NOWHERE = {
  KAFKA_BROKERS: '127.0.0.1:1',
  CLICKHOUSE_URL: 'http://127.0.0.1:1',
  ETH_RPC_URL: 'http://127.0.0.1:1',
  ASSAY_HOST: '127.0.0.1',
}

test.concurrent('an image has no demonstration and says so where it would be played', async () => {
  const [played, checked] = await Promise.all([assay(['up']), assay(['demo', '--check'])])
  expect(played).toMatchObject({ code: 1, output: expect.stringContaining('ASSAY_DEMO_PACKAGE_MISSING') })
  expect(played.output).toContain('ETH_RPC_URL')
  expect(checked).toMatchObject({ code: 1, output: expect.stringContaining('ASSAY_DEMO_PACKAGE_MISSING') })
}, 60_000)

test.concurrent.each(['indexer', 'scorer', 'api'])(
  'an image runs the %s up to its first connection',
  async (role) => {
    const { code, output } = await assay([role], NOWHERE)
    expect({ role, code, output }).toMatchObject({ code: 75, output: expect.stringMatching(/ASSAY_(BUS|STORE|RPC)_/) })
    expect(output).not.toContain('ERR_MODULE_NOT_FOUND')
  },
  60_000,
)
