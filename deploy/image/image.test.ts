/** What the image is made of, without building it: test/e2e/image does that. */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../..')
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const DOCKERFILE = textOf('deploy/image/Dockerfile')
/** Folders that the image leaves out although they are in a folder that is copied. */
const LEFT_OUT = ['demo', 'docs', 'compose', 'helm', 'observability'].map((name) => `deploy/${name}`)

type Locked = { version: string; integrity?: string; dev?: boolean; optionalDependencies?: Record<string, string> }
const LOCK: { packages: Record<string, Locked> } = JSON.parse(textOf('package-lock.json'))

/** Packages at the top of node_modules that the image of the roles has. Node 20 needs tsx, the Node of the image does not. */
const rolePackages = Object.entries(LOCK.packages).flatMap(([path, { dev }]) => {
  const name = path.replace('node_modules/', '')
  return path === '' || dev || name === 'chdb' || name.includes('node_modules/') ? [] : [name]
})

let folder = ''

/** The files the Dockerfile copies, without what .dockerignore leaves out, and the packages it keeps. */
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'assay-image-'))
  const copied = DOCKERFILE.split('\n').flatMap((line) => /^COPY (\S+) (?:\1|\.\/)$/.exec(line)?.[1] ?? [])
  for (const name of copied) {
    cpSync(join(ROOT, name), join(folder, name), {
      recursive: true,
      filter: (source) => !LEFT_OUT.includes(relative(ROOT, source)) && !source.endsWith('.test.ts'),
    })
  }
  for (const name of rolePackages.filter((name) => existsSync(join(ROOT, 'node_modules', name)))) {
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), link)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const run = (args: string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, ASSAY_DATA: join(folder, 'data'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
    child.once('exit', (code) => resolve({ code, output }))
  })
const assay = (args: string[], env?: Record<string, string>) => run(['deploy/assay.js', ...args], env)

/** Every service is on a port where nothing listens, so a role stops when it first connects: all its code is loaded by then. */
const NOWHERE = {
  KAFKA_BROKERS: '127.0.0.1:1',
  CLICKHOUSE_URL: 'http://127.0.0.1:1',
  ETH_RPC_URL: 'http://127.0.0.1:1',
  ASSAY_HOST: '127.0.0.1',
}

test.concurrent('the image has no demonstration, and says so when it is started', async () => {
  const [played, checked] = await Promise.all([assay(['up']), assay(['demo', '--check'])])
  expect(played).toMatchObject({ code: 1, output: expect.stringContaining('ASSAY_DEMO_PACKAGE_MISSING') })
  expect(played.output).toContain('ETH_RPC_URL')
  expect(checked).toMatchObject({ code: 1, output: expect.stringContaining('ASSAY_DEMO_PACKAGE_MISSING') })
}, 60_000)

test.concurrent('an image runs the indexer up to its first connection, without development packages', async () => {
  const { code, output } = await assay(['indexer'], NOWHERE)
  expect({ code, output }).toMatchObject({ code: 75, output: expect.stringMatching(/ASSAY_(BUS|STORE|RPC)_/) })
  expect(output).not.toContain('ERR_MODULE_NOT_FOUND')
}, 60_000)

test.concurrent('the image of the roles has no embedded engine, and the scorer refuses to start without CLICKHOUSE_URL', async () => {
  const { CLICKHOUSE_URL, ...others } = NOWHERE
  const { code, output } = await assay(['scorer'], others)
  expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('ASSAY_STORE_ENGINE_MISSING') })
  expect(output).not.toContain('ERR_MODULE_NOT_FOUND')
}, 60_000)

test.concurrent('the health check passes if the API or another role answers, and fails if none does', async () => {
  const server = createServer((request, response) => response.writeHead(request.url === '/health' ? 200 : 404).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const port = String((server.address() as AddressInfo).port)
  const check = (env: Record<string, string>) => run(['deploy/image/health.js'], env)
  const nothing = { ASSAY_HOST: '0.0.0.0', ASSAY_PORT: '1', ASSAY_OPS_PORT: '1' }
  const answers = [check({ ...nothing, ASSAY_PORT: port }), check({ ...nothing, ASSAY_OPS_PORT: port }), check(nothing)]
  expect((await Promise.all(answers)).map(({ code }) => code)).toEqual([0, 0, 1])
  await new Promise((resolve) => server.close(resolve))
})

test('the lock file has the native packages of both platforms with hashes', () => {
  const parts = Object.entries(LOCK.packages['node_modules/lmdb']?.optionalDependencies ?? {}).filter(([name]) =>
    /linux-(x64|arm64)$/.test(name),
  )
  expect(parts.map(([name]) => name).toSorted()).toEqual(['@lmdb/lmdb-linux-arm64', '@lmdb/lmdb-linux-x64'])
  for (const [name, version] of parts) {
    expect(LOCK.packages[`node_modules/${name}`]).toMatchObject({
      version,
      integrity: expect.stringMatching(/^sha512-/),
    })
  }
  expect(rolePackages).toContain('@ethereumjs/evm')
  for (const name of ['@foundry-rs/anvil', '@uniswap/v2-core', 'vitest']) expect(rolePackages).not.toContain(name)
})

test('the Dockerfile keeps the safety rules of the image', () => {
  const [, ...stages] = DOCKERFILE.split(/^FROM /m)
  const nameOf = (stage: string) => / AS (\S+)/.exec(stage)?.[1]
  expect(stages.map(nameOf)).toEqual(['lock', 'packages', 'role-packages', 'base', 'standalone', 'roles'])
  const last = stages.slice(3).join('\n')
  expect(last).toMatch(/^USER 1000:1000$/m)
  expect(last).toMatch(/^HEALTHCHECK .*deploy\/image\/health\.js/m)
  expect(last).not.toMatch(/npm|apt-get|curl/)
  expect(DOCKERFILE).not.toMatch(/--omit=optional|npm install/)
  expect(DOCKERFILE.match(/npm ci .*/g)).toEqual(Array(2).fill('npm ci --ignore-scripts \\'))
  expect(DOCKERFILE).toMatch(/RUN npm pkg delete devDependencies dependencies.tsx$/m)
  const ignored = textOf('.dockerignore').split('\n')
  expect(ignored).toEqual(expect.arrayContaining(['**', '**/*.test.ts', ...LEFT_OUT]))
})
