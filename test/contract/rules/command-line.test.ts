/** Every command as a person may call it: for help, by mistake, and with nothing there to answer. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CommanderError } from 'commander'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EXAMPLES } from '../../../deploy/command-line/examples.ts'
import { allOf, leavesOf, pathOf, refuseUnknownCommand } from '../../../deploy/command-line/usage.ts'
import { createProgram } from '../../../deploy/program.ts'
import { runAssayHere } from '../../kit/processes/command-here.ts'
import { type Outcome, runAssay } from '../../kit/processes/command-line.ts'

const data = mkdtempSync(join(tmpdir(), 'assay-commands-'))
const program = createProgram()
const LEAVES = leavesOf(program).map(pathOf)
const ADDRESS = '0x8589427373d6d84e98730d7795d8f6f8731fda16'
const OUTSIDE = '/proc/assay'

/** A port on which nobody listens. */
let nobody = 0
beforeAll(async () => {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  nobody = (server.address() as AddressInfo).port
  await new Promise((resolve) => server.close(resolve))
  writeFileSync(join(data, 'list.csv'), `network,address\nETH,${ADDRESS}\n`)
})
afterAll(() => rmSync(data, { recursive: true, force: true }))

/** Exit codes of docs/use/cli.md that a call may end with by itself. */
const EXIT_CODES = [0, 1, 2, 70, 75]

const sound = ({ code, out, err }: Outcome) => {
  expect(EXIT_CODES).toContain(code)
  expect(`${out}${err}`).not.toMatch(/^\s+at |\bnode:internal\b|UnhandledPromise|Error: /m)
}

/** What each command is given where it needs the outside. `{port}` is closed. */
const STORE = { CLICKHOUSE_URL: 'http://127.0.0.1:{port}' }
const API = { ASSAY_URL: 'http://127.0.0.1:{port}', ASSAY_KEY: 'key' }
const NODE = { ETH_RPC_URL: 'http://127.0.0.1:{port}' }
const FOLDER = { ASSAY_DATA: OUTSIDE }

/** Calls that find nothing: arguments, environment, exit code, and what the message names. */
const CALLS: Record<string, [args: string[], env: Record<string, string>, code: number, names: RegExp]> = {
  up: [[], NODE, 75, /ASSAY_START_NODE_SILENT.*correct ETH_RPC_URL/],
  indexer: [[], { ...FOLDER, ...NODE }, 1, /ASSAY_START_FOLDER.*Set ASSAY_DATA/],
  scorer: [[], { ...FOLDER, ...NODE }, 1, /ASSAY_START_FOLDER.*Set ASSAY_DATA/],
  api: [[], { ...FOLDER, ...NODE }, 1, /ASSAY_START_FOLDER.*Set ASSAY_DATA/],
  migrate: [[], FOLDER, 1, /ASSAY_START_FOLDER/],
  check: [['--nodes'], NODE, 75, /ASSAY_START_NODE_SILENT/],
  completion: [['tcsh'], {}, 1, /ASSAY_TOOL_OPTION.*bash, zsh, fish/],
  demo: [['--check'], {}, 1, /ASSAY_DEMO_NOT_RUNNING.*npm start/],
  status: [[], API, 75, /ASSAY_TOOL_API_SILENT.*assay up/],
  watch: [[ADDRESS], API, 75, /ASSAY_TOOL_API_SILENT.*assay up/],
  screen: [[join(data, 'list.csv'), '--output', join(OUTSIDE, 'x.csv')], API, 1, /ASSAY_TOOL_OUTPUT/],
  analysts: [[], {}, 1, /ASSAY_TOOL_OPTION.*--database/],
  sql: [['SELECT 1', '--output', join(OUTSIDE, 'x.csv')], {}, 1, /ASSAY_TOOL_OUTPUT.*Choose another file/],
  'keys create': [['--tier', 'gold', '--name', 'x'], {}, 1, /ASSAY_KEYS_TIER.*business/],
  'keys list': [[], FOLDER, 1, /ASSAY_START_FOLDER/],
  'keys revoke': [['key_x'], FOLDER, 1, /ASSAY_START_FOLDER/],
  'keys rotate': [['key_x', '--grace', 'long'], {}, 1, /ASSAY_KEYS_OPTION.*24h/],
  'audit verify': [[], FOLDER, 1, /ASSAY_START_FOLDER/],
  'audit export': [['--from', 'yesterday'], {}, 1, /ASSAY_AUDIT_OPTION/],
  'audit erase': [['key_x'], FOLDER, 1, /ASSAY_START_FOLDER/],
  'monitoring erase': [['key_x'], FOLDER, 1, /ASSAY_START_FOLDER/],
  'payments list': [['--state', 'setled'], {}, 1, /ASSAY_PAYMENT_STATE/],
  'payments show': [['0x1'], FOLDER, 1, /ASSAY_START_FOLDER/],
  'payments refund-plan': [[], FOLDER, 1, /ASSAY_START_FOLDER/],
  'payments refunded': [['0x1', '--transaction', '0x2'], FOLDER, 1, /ASSAY_PAYMENT_REFUND.*Set ASSAY_X402_RPC_URL/],
  'labels import': [[join(data, 'none.csv')], {}, 1, /ASSAY_LABELS_UNREADABLE/],
  'labels export': [['--out', join(OUTSIDE, 'x.csv')], {}, 1, /ASSAY_TOOL_OUTPUT/],
  'labels list': [['--network', 'ETHH'], {}, 1, /ASSAY_TOOL_OPTION.*Did you mean ETH\?/],
  'labels update': [['--source', 'offac'], {}, 1, /ASSAY_TOOL_OPTION.*ofac/],
  'labels lists': [[], FOLDER, 1, /ASSAY_START_FOLDER/],
  'labels retract': [[], {}, 1, /ASSAY_TOOL_OPTION/],
  backup: [['--to', join(data, 'x')], STORE, 1, /ASSAY_BACKUP_SERVER.*--check/],
  restore: [['--from', OUTSIDE], {}, 1, /ASSAY_BACKUP_DAMAGED.*another backup/],
  replay: [['--network', 'POLYGN'], {}, 1, /ASSAY_TOOL_OPTION.*Did you mean POLYGON\?/],
  reindex: [['--network', 'ETH'], FOLDER, 1, /ASSAY_START_FOLDER/],
  verify: [['--network', 'ETH', '--from', '9', '--to', '8'], {}, 1, /ASSAY_TOOL_OPTION/],
  backfill: [['--network', 'ETH', '--from', '1', '--to', '2'], FOLDER, 1, /ASSAY_START_FOLDER/],
}

/** Commands that end the process themselves, or have the store open in it: they are run as a process of their own. */
const PROCESSES = ['up', 'indexer', 'scorer', 'api', 'labels import']

const filled = (env: Record<string, string>): Record<string, string> => ({
  ASSAY_PORT: '0',
  ASSAY_OPS_PORT: '0',
  ...Object.fromEntries(Object.entries(env).map(([name, value]) => [name, value.replace('{port}', String(nobody))])),
})

const run = (path: string, args: readonly string[], env: Record<string, string> = {}) =>
  runAssay(data, [...path.split(' '), ...args], { env: filled(env) })

/** The same in this process. */
const runHere = (path: string, args: readonly string[], env: Record<string, string>) =>
  runAssayHere([...path.split(' '), ...args], { ASSAY_DATA: data, ...filled(env) })

test('every command is called below, and has examples', () => {
  expect(Object.keys(CALLS).toSorted()).toEqual(LEAVES.toSorted())
  expect(LEAVES.filter((path) => !EXAMPLES[path]?.length)).toEqual([])
})

test('examples call the commands that they explain, with options that these have', () => {
  const commands = leavesOf(program)
  const wrong = Object.entries(EXAMPLES).flatMap(([path, lines]) =>
    lines.filter((line) => {
      const call = /(?:^|\s)assay (.*)$/.exec(line)?.[1] ?? ''
      const named = commands.find((command) => call === pathOf(command) || call.startsWith(`${pathOf(command)} `))
      const options = new Set(['--help', ...(named?.options.flatMap(({ long }) => long ?? []) ?? [])])
      const given = [...call.matchAll(/ (--[a-z-]+)/g)].map(([, option = '']) => option)
      return (
        !call.startsWith('help') && (!call.startsWith(path) || !named || given.some((option) => !options.has(option)))
      )
    }),
  )
  expect(wrong).toEqual([])
})

/** Runs the commands of a program in this process, as far as commander answers itself. */
const parsed = async (args: readonly string[]) => {
  const said = { out: '', err: '', code: 0 }
  const own = createProgram()
  for (const command of allOf(own)) {
    command.exitOverride().configureOutput({
      writeOut: (text) => {
        said.out += text
      },
      writeErr: (text) => {
        said.err += text
      },
    })
  }
  try {
    refuseUnknownCommand(own, args)
    await own.parseAsync(args, { from: 'user' })
  } catch (error) {
    said.code = (error as CommanderError).exitCode
  }
  return said
}

test.each(LEAVES)('assay %s has help with examples, and answers a wrong option with where help is', async (path) => {
  const help = await parsed([...path.split(' '), '--help'])
  expect(help).toMatchObject({ code: 0, err: '' })
  expect(help.out).toContain(`Usage: assay ${path}`)
  expect(help.out).toMatch(/\nExamples:\n {2}\S/)
  const wrong = await parsed([...path.split(' '), '--no-such-option'])
  expect(wrong).toMatchObject({ code: 1, out: '' })
  expect(wrong.err).toMatch(/^error: (unknown option '--no-such-option'|required option)/)
  expect(wrong.err).toContain(`See: assay ${path} --help`)
})

const endsWithOneSentence = async (path: string, call: typeof run) => {
  const [args, env, code, names] = CALLS[path]!
  const nothing = await call(path, args, env)
  sound(nothing)
  expect(nothing).toMatchObject({ code, err: expect.stringMatching(names) })
  expect(nothing.err.match(/^ASSAY_/gm)).toHaveLength(1)
}

describe.concurrent('as a process', () => {
  test.each(PROCESSES)('assay %s ends with one sentence where it cannot work', (path) => endsWithOneSentence(path, run))
})

test.each(LEAVES.filter((path) => !PROCESSES.includes(path)))(
  'assay %s ends with one sentence where it cannot work',
  (path) => endsWithOneSentence(path, (given, args, env = {}) => runHere(given, args, env)),
)

test.skipIf(!('enableCompileCache' in module))('a start keeps what it compiled for the next', async () => {
  await run('status', [], API)
  expect(readdirSync(join(import.meta.dirname, '../../../node_modules/.cache/assay/compiled'))).not.toEqual([])
})

test('a store that does not answer is one sentence too', async () => {
  const { code, err } = await run('keys list', [], STORE)
  expect(code).toBe(75)
  expect(err).toMatch(/ASSAY_STORE_UNAVAILABLE/)
  expect(err).not.toMatch(/^\s+at /m)
})

const SLIPS: [args: string[], text: string][] = [
  [['statu'], 'Did you mean status?'],
  [['keys', 'creat'], 'Did you mean create?'],
  [['sql', '--formt', 'csv'], 'Did you mean --format?'],
  [['nothing-like-it'], 'unknown command nothing-like-it.\nSee: assay --help'],
]

test.each(SLIPS)('%j is answered with the nearest right one', async (args, text) => {
  expect(await parsed(args)).toMatchObject({ code: 1, out: '', err: expect.stringContaining(text) })
})

test('and so it is by the process, in one sentence', async () => {
  const [[args, text] = [[], '']] = SLIPS
  const outcome = await runAssay(data, args)
  sound(outcome)
  expect(outcome).toMatchObject({ code: 1, out: '', err: expect.stringContaining(text) })
})
