import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { type Config, loadConfig } from '../../platform/config/config.ts'
import type { Network } from '../../schema/networks.ts'
import { createSourceWorld } from '../../test/kit/source-worlds/all.ts'
import { createTonSourceWorld } from '../../test/kit/source-worlds/ton.ts'
import type { SourceWorld } from '../../test/kit/source-worlds/world.ts'
import { createContext } from '../process/process.ts'
import { abilitiesOf } from './abilities.ts'
import { checkFolder } from './folder.ts'
import { askNodes, refuseNodes } from './nodes.ts'
import { checkPort } from './port.ts'

const servers: Server[] = []
const folders: string[] = []
const worlds: SourceWorld[] = []
afterEach(async () => {
  for (const world of worlds.splice(0)) await world.close()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

const listening = async (handler: RequestListener): Promise<string> => {
  const server = createServer(handler)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
const answering = (status: number, body: string, headers: Record<string, string> = {}) =>
  listening((_, response) => response.writeHead(status, headers).end(body))
const rpc = (value: object) => answering(200, JSON.stringify({ jsonrpc: '2.0', id: 1, ...value }))
const closed = async () => {
  const url = await answering(200, '')
  const [server] = servers.splice(servers.length - 1)
  await new Promise((resolve) => server!.close(resolve))
  return url
}

const configured = (settings: Record<string, string>): Config => loadConfig(settings)
const found = async (config: Config) => {
  const context = createContext({ ASSAY_LOG_LEVEL: 'silent' }, 'test')
  return askNodes(context, config)
}
const startOf = async (settings: Record<string, string>): Promise<unknown> => {
  try {
    refuseNodes(await found(configured(settings)))
    return undefined
  } catch (error) {
    return error
  }
}

test.each<[string, () => Promise<string>, number, RegExp]>([
  ['nothing listens', closed, 75, /nothing listens there/],
  [
    'a web page',
    () => answering(200, '<!doctype html><p>Welcome'),
    1,
    /a web page, so it is not a node. Correct ETH_RPC_URL/,
  ],
  ['plain text', () => answering(200, 'pong'), 1, /something other than JSON/],
  ['JSON of something else', () => answering(200, '{"status":"ok"}'), 1, /not JSON-RPC/],
  ['a list', () => answering(200, '[]'), 1, /not JSON-RPC/],
  [
    'a refused key',
    () => answering(401, '{"error":{"code":-32600,"message":"Must be authenticated!"}}'),
    1,
    /refuses the key \(status 401\)/,
  ],
  ['a wrong path', () => answering(404, 'not found'), 1, /no node at this path/],
  ['a redirect', () => answering(301, '', { location: 'https://elsewhere.example' }), 1, /redirects to another URL/],
  ['a broken gateway', () => answering(502, '<html>bad gateway</html>'), 75, /status 502/],
  ['another chain', () => rpc({ result: '0x38' }), 1, /on chain 56, but ETH is chain 1/],
  ['no chain', () => rpc({ result: null }), 1, /on chain 0, but ETH is chain 1/],
  [
    'too many calls',
    () => rpc({ error: { code: -32005, message: 'rate limit\nexceeded' } }),
    75,
    /rate limit exceeded/,
  ],
  [
    'no such method',
    () => rpc({ error: { code: -32601, message: 'method not found' } }),
    1,
    /refuses the first call: method not found/,
  ],
])('refuses to start on %s with one sentence', async (_, serve, exitCode, text) => {
  const error = await startOf({ ETH_RPC_URL: `${await serve()}/v2/SECRET` })
  expect(error).toMatchObject({ exitCode, message: expect.stringMatching(text) })
  expect(String(error)).not.toMatch(/SECRET|\n/)
})

test('hides keys and control characters in responses of nodes', async () => {
  const key = 'SECRETSECRETSECRETSECRETSECRET12'
  const said = `unknown project ${key}\u001b[2J, ask user:pass-word-1 for token=tok-en-12345`
  const urls = [
    async () => `${await rpc({ error: { code: -32000, message: said } })}/v2/${key}`,
    async () => `${await rpc({ error: { code: -32000, message: said } })}/?apikey=${key}`,
  ]
  for (const url of urls) {
    const error = String(await startOf({ ETH_RPC_URL: await url() }))
    expect(error).toMatch(/unknown project/)
    expect(error).not.toMatch(/SECRET|\p{Cc}/u)
  }
  const solana = await rpc({ result: `${key}\n\u001b[31mASSAY_OK` })
  expect(String(await startOf({ SOLANA_RPC_URL: `${solana}/${key}` }))).not.toMatch(/SECRET|\p{Cc}/u)
})

test('a silent network does not prevent the start of others, but a wrong one does', async () => {
  const eth = await listening((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      const { method } = JSON.parse(body) as { method: string }
      const result = method === 'eth_chainId' ? '0x1' : null
      response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))
    })
  })
  expect(await startOf({ ETH_RPC_URL: eth, BNB_RPC_URL: await closed() })).toBeUndefined()
  expect(await startOf({ ETH_RPC_URL: eth, BNB_RPC_URL: eth })).toMatchObject({ code: 'ASSAY_START_NODE' })
  expect(await startOf({ ETH_RPC_URL: `${eth},${await answering(401, '')}` })).toMatchObject({
    code: 'ASSAY_START_NODE',
  })
  expect(await startOf({ ETH_RPC_URL: eth.replace('http', 'ws') })).toMatchObject({ code: 'ASSAY_SOURCE_NO_HTTP' })
})

test('reports missing abilities of a node and their consequences', async () => {
  const time = 1_800_000_000
  const block = (number: number, at = time) => ({
    number: `0x${number.toString(16)}`,
    hash: '0xaa',
    timestamp: `0x${at.toString(16)}`,
  })
  const wanted = { startBlock: undefined, historyBlocks: 1_000, authorityLogs: 'required' as const }
  const node =
    (can: { traces?: boolean; lowest?: number; at?: number }) =>
    async (method: string, [asked]: readonly unknown[]): Promise<unknown> => {
      if (method === 'trace_block' && can.traces) return []
      if (method !== 'eth_getBlockByNumber') throw new Error('method not found')
      const number = asked === 'latest' ? 20_000_000 : Number(asked)
      return number >= (can.lowest ?? 0) ? block(number, can.at) : null
    }
  expect(await abilitiesOf('ETH', node({ traces: true }), wanted, time)).toEqual({
    lines: ['chain 1, at block 20000000, with traces'],
    warnings: [],
  })
  const pruned = await abilitiesOf('ETH', node({ lowest: 19_999_900, at: time - 7_200 }), wanted, time)
  expect(pruned.lines).toEqual(['chain 1, at block 20000000'])
  expect(pruned.warnings).toEqual([
    expect.stringContaining('120 min old'),
    expect.stringContaining('does not return block 19999000, where indexing begins'),
    expect.stringContaining('internal transfers are missing'),
    expect.stringContaining('ASSAY_AUTHORITY_LOGS=optional'),
  ])
  const late = await abilitiesOf('ETH', node({ traces: true }), { ...wanted, startBlock: 30_000_000 }, time)
  expect(late.warnings).toEqual([expect.stringContaining('below ETH_START_BLOCK=30000000')])
  const mute = await abilitiesOf('ETH', async () => null, wanted, time)
  expect(mute.warnings).toEqual([expect.stringContaining('newest block')])
})

test.each<Network>(['SOLANA', 'TRON', 'TON'])(
  'checks a node of %s through its source: head, finality and complete blocks',
  async (network) => {
    const world = await createSourceWorld(network)
    worlds.push(world)
    const node = await world.startNode()
    const [, second] = world.heights()
    const reports = (settings: Record<string, string> = {}) =>
      found(configured({ [`${network}_RPC_URL`]: node.url, [`${network}_START_BLOCK`]: String(second), ...settings }))
    const top = world.heights().at(-1)!
    const [sound] = await reports()
    expect(sound).toMatchObject({ state: 'sound', text: `at block ${top}, final up to ${world.finalHeight()}` })
    // Made-up chains are as old as they say, and nothing else is amiss.
    expect(sound!.warnings.filter((warning) => !warning.includes('min old'))).toEqual([])
    const [late] = await reports({ [`${network}_START_BLOCK`]: String(top + 1_000) })
    expect(late!.warnings).toContainEqual(expect.stringContaining(`below ${network}_START_BLOCK=${top + 1_000}`))
    node.misbehave({ kind: 'lacks', number: second! })
    const [pruned] = await reports()
    expect(pruned!.warnings).toContainEqual(expect.stringContaining(`does not return block ${second}`))
    // Of heights, one host's word is taken.
    if (network === 'SOLANA') return
    node.misbehave({ kind: 'lies' })
    expect((await reports())[0]!.warnings.join()).toMatch(/cannot be read|does not return/)
  },
)

test('states which proofs version 3 of the TON API cannot give, and for how many endpoints', async () => {
  const world = await createTonSourceWorld(3)
  worlds.push(world)
  const { url } = await world.startNode()
  const [report] = await found(configured({ TON_RPC_URL: url }))
  expect(report).toMatchObject({ state: 'sound' })
  expect(report!.warnings.filter((warning) => !warning.includes('min old'))).toEqual([
    expect.stringMatching(/^its host answers as version 3 .* parents of blocks by number and the chain by global_id/),
  ])
  const context = createContext({ ASSAY_LOG_LEVEL: 'silent' }, 'test')
  const unprovedOf = (...urls: string[]) => world.open(context, { urls }).unproved?.()
  expect(unprovedOf(url, 'https://two.example/api/v2')).toEqual([expect.stringMatching(/^1 of 2 hosts answers as/)])
  expect(unprovedOf('https://two.example/api/v2')).toBeUndefined()
})

test('creates a folder if possible, otherwise refuses with the reason', () => {
  const base = mkdtempSync(join(tmpdir(), 'assay-folder-'))
  folders.push(base)
  checkFolder(join(base, 'a/b/c'))
  checkFolder(join(base, 'a/b/c'))
  writeFileSync(join(base, 'file'), '')
  const refused = (folder: string) => {
    try {
      checkFolder(folder)
    } catch (error) {
      return error
    }
    return undefined
  }
  expect(refused(join(base, 'file'))).toMatchObject({
    code: 'ASSAY_START_FOLDER',
    message: expect.stringContaining('a file has that name'),
  })
  expect(refused(join(base, 'file/below'))).toMatchObject({ code: 'ASSAY_START_FOLDER' })
  // Node's own mkdir -p never returns here.
  expect(refused('/proc/assay/data')).toMatchObject({ code: 'ASSAY_START_FOLDER' })
  // A full disk takes the name of a file and none of its bytes.
  const full = join(base, 'full')
  mkdirSync(full)
  symlinkSync('/dev/full', join(full, `.write-test-${process.pid}`))
  expect(refused(full)).toMatchObject({ message: expect.stringContaining('the disk is full') })
  expect(readdirSync(full)).toEqual([])
  if (process.getuid?.() === 0) return
  chmodSync(base, 0o500)
  expect(refused(join(base, 'new'))).toMatchObject({ message: expect.stringContaining('permission denied') })
  chmodSync(base, 0o700)
})

test('refuses a port in use and an address of another machine, and names the setting', async () => {
  const { port } = new URL(await answering(200, ''))
  const place = { host: '127.0.0.1', port: Number(port), setting: 'ASSAY_PORT' }
  await expect(checkPort(place)).rejects.toMatchObject({
    code: 'ASSAY_START_PORT',
    message: expect.stringMatching(/another process listens there.*set ASSAY_PORT to another port/),
  })
  await expect(checkPort({ ...place, host: '2001:db8::1' })).rejects.toThrow(`cannot listen on [2001:db8::1]:${port}:`)
  await expect(checkPort({ ...place, host: '192.0.2.1', port: 0 })).rejects.toMatchObject({ code: 'ASSAY_START_PORT' })
  await checkPort({ ...place, port: 0 })
})
