/** docs/first-hour.md, word for word: its shell blocks in one shell, with ports and a folder of the test. */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../kit/free-port.ts'
import { until } from '../../kit/until.ts'

const ROOT = join(import.meta.dirname, '../../..')
const DIARY = readFileSync(join(ROOT, 'docs/first-hour.md'), 'utf8')
const PATIENCE_MS = 300_000
const RECEIVER = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'

type Block = { how: string; why: string; text: string }

/** Every shell block with the comment above it. */
const blocks: Block[] = [...DIARY.matchAll(/(?:<!-- ([a-z ]+)(?:: ([^>]*?))? -->\n)?```sh\n([\s\S]*?)```/g)].map(
  ([, how = '', why = '', text = '']) => ({ how, why, text }),
)

let folder: string
/** What runs in terminals of their own: the node, then the service. */
const terminals: ChildProcess[] = []
let settings: Record<string, string>
let nodePort: number

beforeAll(async () => {
  nodePort = await freePort()
  folder = mkdtempSync(join(tmpdir(), 'assay-hour-'))
  settings = {
    ETH_RPC_URL: `http://127.0.0.1:${nodePort}`,
    ASSAY_DATA: join(folder, 'data'),
    ASSAY_PORT: String(await freePort()),
  }
})
afterAll(async () => {
  for (const { pid, exitCode, signalCode } of terminals)
    if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** What the reader puts in: only values, of settings that are named, and the port of the node. */
const yours = (text: string): string =>
  text.replace('--port 8545', `--port ${nodePort}`).replaceAll(/^export (\w+)=.*$/gm, (_, name: string) => {
    const value = settings[name]
    if (value === undefined) throw new Error(`the test has no value for ${name}`)
    return `export ${name}=${value}`
  })

const { PATH = '', HOME = '' } = process.env
const shell = (script: string) => {
  const child = spawn('bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd: ROOT,
    env: { PATH, HOME },
    detached: true,
  })
  const heard = { out: '', err: '' }
  child.stdout.on('data', (part) => {
    heard.out += part
  })
  child.stderr.on('data', (part) => {
    heard.err += part
  })
  return { child, heard, ended: new Promise<number | null>((resolve) => child.once('close', resolve)) }
}

/** What was exported so far, as lines that export it again. */
let exported = ''
const run = async (text: string): Promise<string> => {
  const mark = '--- exported ---'
  const { heard, ended } = shell(
    `${exported}\n${text}\necho '${mark}'\nexport -p | grep -E ' (ETH_RPC_URL|ASSAY_[A-Z]+)='`,
  )
  const code = await ended
  expect({ text, code, err: heard.err }).toMatchObject({ code: 0 })
  const [out = '', exports = ''] = heard.out.split(`${mark}\n`)
  exported = exports
  return out
}

/** What a reader sees of each block that is run, in order. */
const SEEN: readonly (RegExp | undefined)[] = [
  /Listening on 127\.0\.0\.1:\d+/,
  undefined,
  /127\.0\.0\.1:\d+: chain 1, at block \d+, with traces/,
  /"result": ?"0x[0-9a-f]{64}"/,
  /caught up at block \d+/,
  /^network .*\nETH +ready /,
  undefined,
  new RegExp(`"walletAddress":"${RECEIVER}".*"status":"New Address"`),
  /"coverage":\{"firstBlock":\d+/,
  /"New Address",\d+[\s\S]*New Address 0\.\d+/,
  /^assay_lag_seconds\{.*network="ETH".*\} \d+/m,
]

test('every code block has a test, or a reason why not', () => {
  const wrong = blocks.filter(
    ({ how, why }) =>
      !['run', 'yours', 'not run', 'tested'].includes(how) ||
      (how === 'not run' && why === '') ||
      (how === 'tested' && !existsSync(join(ROOT, why))),
  )
  expect(wrong).toEqual([])
  expect(blocks.filter(({ how }) => how === 'run' || how === 'yours')).toHaveLength(SEEN.length)
})

test('the steps of the first-hour guide work as written', async () => {
  const steps = blocks.filter(({ how }) => how === 'run' || how === 'yours')
  for (const [index, { how, why, text }] of steps.entries()) {
    const seen = SEEN[index]
    if (why.includes('terminal of its own')) {
      const { child, heard } = shell(`${exported}\n${yours(text)}`)
      terminals.push(child)
      await until(
        `${text.trim()} shows ${seen}`,
        () => {
          const said = `${heard.out}${heard.err}`
          if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${said}`)
          return seen?.test(said)
        },
        PATIENCE_MS,
      )
      continue
    }
    const out = await run(how === 'yours' ? yours(text) : text)
    if (seen) expect(out).toMatch(seen)
  }
  // The end: Ctrl-C reaches everybody in the terminal.
  const service = terminals.at(-1)
  const ended = new Promise((resolve) => service?.once('close', resolve))
  if (service?.pid !== undefined) process.kill(-service.pid, 'SIGINT')
  await ended
  expect(() => process.kill(-(service?.pid ?? 0), 0)).toThrow()
}, 1_000_000)
