import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runSolc } from './solc.ts'

const cache = mkdtempSync(join(tmpdir(), 'assay-solc-'))
afterAll(() => rmSync(cache, { recursive: true, force: true }))

const settings = { outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } }
const inputOf = (content: string) => ({ sources: { 'a.sol': { content } }, settings })
const entries = () => readdirSync(cache).sort()

const runsOf = (name: string) => readFileSync(join(cache, name), 'utf8')
/** Writes an entry after half a second, as a compiler that was begun earlier does, and ends. */
const WRITES_LATER = 'setTimeout(() => require("fs").writeFileSync(process.argv[1], process.argv[2]), 500)'

test('a compile is kept under its content: a change of source, settings or compiler is another entry', () => {
  const source = 'contract A { function a(uint b) public pure returns (uint) { return b; } }'
  const first = runSolc(inputOf(source), '0.8', cache)
  expect(first.contracts['a.sol']?.A?.evm.bytecode.object).toMatch(/^60/)
  expect(first.compiler).toContain('0.8.')
  const [file = ''] = entries()
  expect(entries()).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.json$/)])

  // The second answer comes from the file: what was written there is what is answered.
  const marked = { compiler: 'kept', output: { contracts: first.contracts, errors: first.errors } }
  writeFileSync(join(cache, file), JSON.stringify(marked))
  expect(runSolc(inputOf(source), '0.8', cache)).toEqual({ ...first, compiler: 'kept' })

  runSolc(inputOf(`${source} `), '0.8', cache)
  runSolc({ ...inputOf(source), settings: { ...settings, optimizer: { enabled: true } } }, '0.8', cache)
  runSolc(inputOf(source), '0.7', cache)
  expect(entries()).toHaveLength(4)

  // An entry that a killed process left broken is made anew.
  writeFileSync(join(cache, file), '{"compiler": "0.8')
  expect(runSolc(inputOf(source), '0.8', cache)).toEqual(first)
}, 60_000)

test('errors in a source are answered, and kept too', () => {
  const broken = inputOf('contract A { uint b = c; }')
  const said = runSolc(broken, '0.8', cache)
  const errors = said.errors.filter(({ severity }) => severity === 'error')
  expect(errors.map(({ message }) => message)).toEqual(['Undeclared identifier.'])
  expect(runSolc(broken, '0.8', cache)).toEqual(said)
}, 60_000)

test('what another process compiles is waited for, and not for one that is gone', async () => {
  const source = inputOf('contract Waited {}')
  const answer = runSolc(source, '0.8', cache)
  const file = join(cache, entries().find((name) => name.endsWith('.json') && runsOf(name).includes('Waited'))!)
  const lock = file.replace(/json$/, 'lock')
  rmSync(file)
  const other = spawn(process.execPath, [
    '-e',
    WRITES_LATER,
    file,
    JSON.stringify({ compiler: 'other', output: answer }),
  ])
  symlinkSync(`${other.pid}`, lock)
  expect(runSolc(source, '0.8', cache).compiler).toBe('other')
  if (other.exitCode === null) await once(other, 'exit')
  rmSync(lock)
  rmSync(file)
  symlinkSync(`${other.pid}`, lock)
  expect(runSolc(source, '0.8', cache)).toEqual(answer)
  expect(entries().filter((name) => !name.endsWith('.json'))).toEqual([])
}, 60_000)
