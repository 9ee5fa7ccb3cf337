/** The first minute with a node of one's own: what is wrong is said before anything starts, and what happens is shown. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Anvil, startAnvil } from '../../kit/chain/anvil.ts'
import { freePort } from '../../kit/free-port.ts'
import { runAssay } from '../../kit/processes/command-line.ts'
import { until } from '../../kit/until.ts'

const ROOT = join(import.meta.dirname, '../../..')
const CLI = join(ROOT, 'deploy/assay.js')
const PATIENCE_MS = 300_000
const STRANGER = `0x${'77'.repeat(20)}`

let node: Anvil
let server: Server
let page: string
let data: string
let port: number
const children: ChildProcess[] = []

beforeAll(async () => {
  node = await startAnvil()
  await node.transfer()
  await node.mine(40)
  server = createServer((request, response) =>
    request.url === '/key'
      ? response.writeHead(401, { 'content-type': 'application/json' }).end('{"message":"unknown key"}')
      : response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  page = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  data = mkdtempSync(join(tmpdir(), 'assay-minute-'))
  port = await freePort()
})
afterAll(async () => {
  for (const child of children) if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
  await node.stop()
  await new Promise((resolve) => server.close(resolve))
  rmSync(data, { recursive: true, force: true })
})

/** In a group of its own, so that what it leaves behind is found. */
const start = (args: readonly string[], env: Record<string, string>) => {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: ROOT,
    detached: true,
    env: { PATH, HOME, ASSAY_DATA: data, ASSAY_PORT: String(port), ...env },
  })
  children.push(child)
  const said = { out: '', err: '' }
  child.stdout.on('data', (part) => {
    said.out += part
  })
  child.stderr.on('data', (part) => {
    said.err += part
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)))
  return { child, said, ended }
}
const groupLives = ({ pid = 0 }: ChildProcess): boolean => {
  try {
    process.kill(-pid, 0)
    return true
  } catch {
    return false
  }
}

test.each<[string, () => Record<string, string>, number, RegExp]>([
  [
    'a URL of another kind',
    () => ({ ETH_RPC_URL: 'ipc:///node' }),
    1,
    /ETH_RPC_URL: expected a URL that begins with http/,
  ],
  ['a setting that is misspelt', () => ({ ETH_RPC_ULR: node.url }), 1, /did you mean ETH_RPC_URL\?/],
  ['a web page', () => ({ ETH_RPC_URL: page }), 1, /a web page, so it is not a node/],
  ['a refused key', () => ({ ETH_RPC_URL: `${page}/key` }), 1, /refuses the key/],
  ['another chain', () => ({ BASE_RPC_URL: node.url }), 1, /is on chain 1, but BASE is chain 8453/],
  [
    'a port in use',
    () => ({ ETH_RPC_URL: node.url, ASSAY_PORT: new URL(page).port }),
    1,
    /another process listens there/,
  ],
  [
    'a port in use, for the demonstration',
    () => ({ ASSAY_PORT: new URL(page).port }),
    1,
    /set ASSAY_PORT to another port/,
  ],
  ['a folder that cannot be made', () => ({ ETH_RPC_URL: node.url, ASSAY_DATA: '/proc/assay' }), 1, /Set ASSAY_DATA/],
])('%s ends with one sentence, and nothing is started', async (_, env, code, text) => {
  const { child, said, ended } = start(['up'], env())
  expect(await ended).toBe(code)
  expect(said.err).toMatch(text)
  expect(said.err.trim().split('\n')).toHaveLength(1)
  expect(said.out).toBe('')
  await until('nothing is left', () => !groupLives(child), PATIENCE_MS)
  expect(existsSync(join(data, 'bus')) || existsSync(join(data, 'devnet'))).toBe(false)
})

test('describes an own node, shows progress until it is caught up, and answers name the first block', async () => {
  const { child, said, ended } = start(['up'], { ETH_RPC_URL: node.url })
  await until(
    'it has caught up',
    () => {
      if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${said.out}${said.err}`)
      return said.out.includes('caught up at block')
    },
    PATIENCE_MS,
  )
  expect(said.out).toMatch(/^ETH {2}127\.0\.0\.1:\d+: chain 1, at block \d+, with traces$/m)
  expect(said.out).toMatch(/^ETH {2}indexes from 900 blocks \(3\.0 h\) behind the head/m)
  expect(said.out).toMatch(/^ETH {2}caught up at block \d+ after .*\. Indexed since block \d+ \(\d{4}-\d\d-\d\d\)\.$/m)
  const [, key = ''] = /enterprise {2}(\S+)/.exec(said.out) ?? []
  const url = `http://127.0.0.1:${port}`
  const missing = await fetch(`${url}/fraud/check`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify({ network: 'ETH', walletAddress: STRANGER }),
  })
  expect(missing.status).toBe(404)
  expect(await missing.json()).toEqual({
    message: expect.stringMatching(/^Wallet not found on ETH, which is indexed since block 0 \(\d{4}-\d\d-\d\d\)\.$/),
    error: 'NOT_FOUND',
    details: [],
  })

  // Young blocks show that nothing is left to read before the indexer's first report says where the head is.
  const status = await until('the indexer has reported', async () => {
    const told = await runAssay(data, ['status'])
    expect(told).toMatchObject({ code: 0, err: '' })
    expect(told.out).toMatch(/^network {2}state {2}head .*\nETH {6}ready /)
    return !/ready +- /.test(told.out) && told
  })
  expect(status.out).toMatch(/^ETH {6}ready +\d+ +\d+ +\d+ /m)
  const json = JSON.parse((await runAssay(data, ['status', '--json'])).out) as { networks: { ready: boolean }[] }
  expect(json.networks).toMatchObject([{ network: 'ETH', ready: true, indexedSince: { block: expect.any(Number) } }])

  const once = await runAssay(data, ['watch', STRANGER, '--once', '--json'])
  expect(once.code).toBe(0)
  expect(JSON.parse(once.out)).toMatchObject({ network: 'ETH', address: STRANGER, before: null, after: null })

  const watching = start(['watch', STRANGER, '--every', '1'], {})
  await until('the address is watched', () => watching.said.out.includes('no verdict'), PATIENCE_MS)
  const [from] = await node.rpc<string[]>('eth_accounts')
  await node.rpc('eth_sendTransaction', { from, to: STRANGER, value: '0x1' })
  await until('the verdict on it is printed', () => watching.said.out.includes('New Address'), PATIENCE_MS)
  watching.child.kill('SIGINT')
  expect(await watching.ended).toBe(130)

  child.kill('SIGINT')
  expect(await ended).toBe(0)
  await until('nothing is left', () => !groupLives(child), PATIENCE_MS)
}, 1_000_000)

test('a command ends without an error when its reader closes the pipe', async () => {
  const line = `"${process.execPath}" "${CLI}" sql 'SELECT arrayJoin(range(2000000)) AS n' | head -n 2`
  const child = spawn('bash', ['-o', 'pipefail', '-c', line], { env: { ...process.env, ASSAY_DATA: data } })
  let err = ''
  child.stderr.on('data', (part) => {
    err += part
  })
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
  expect(err).toBe('')
})

test.each([
  ['screen', ['screen', 'list.csv', '--key', 'k']],
  ['replay', ['replay', '--network', 'ETH', '--addresses', '-']],
  ['watch', ['watch', STRANGER, '--key', 'k']],
])('Ctrl-C ends assay %s with 130', async (_, args) => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-stopped-'))
  writeFileSync(join(folder, 'list.csv'), `network,address\nETH,${STRANGER}\n`)
  let asked = false
  const silent = createServer(() => {
    asked = true
  })
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const env = {
    ASSAY_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
    ASSAY_DATA: folder,
  }
  const named = args.map((arg) => (arg === 'list.csv' ? join(folder, arg) : arg))
  const { child, said, ended } = start(named, env)
  // It has called the API, or opened the bus to wait for lines: it listens to signals since before that.
  await until('it is at work', () => asked || existsSync(join(folder, 'bus')), PATIENCE_MS)
  child.kill('SIGINT')
  expect(await ended).toBe(130)
  expect(said.err).not.toMatch(/^\s+at /m)
  silent.closeAllConnections()
  await new Promise((resolve) => silent.close(resolve))
  rmSync(folder, { recursive: true, force: true })
})
