/**
 * The Solidity compilers, and a cache of their output: standard JSON in, standard JSON out, stored on disk under the hash
 * of the input and the compiler's version. The compilers are the npm packages `solc-0.4` ... `solc-0.8` (aliases of
 * solc), looked up in the folder `ASSAY_SOLC_DIR` first, then in the project.
 */
import { createHash, randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import { USER_CACHE } from '../../cache.ts'

type Solc = {
  compile: (input: string) => string
  /** Standard JSON of compilers before 0.5. */
  compileStandardWrapper?: (input: string) => string
  version: () => string
}

const code = z.object({ object: z.string() })
// Loose and without defaults: an artifact holds the ABI as the compiler wrote it.
const abiItem = z.looseObject({
  type: z.string(),
  name: z.string().optional(),
  stateMutability: z.string().optional(),
  payable: z.boolean().optional(),
  inputs: z.array(z.looseObject({ type: z.string(), name: z.string().optional() })).optional(),
})
const output = z.object({
  errors: z
    .array(z.object({ severity: z.string(), message: z.string(), formattedMessage: z.string().default('') }))
    .default([]),
  contracts: z
    .record(
      z.string(),
      z.record(
        z.string(),
        z.object({
          abi: z.array(abiItem).default([]),
          evm: z.object({ bytecode: code.default({ object: '' }), deployedBytecode: code.default({ object: '' }) }),
        }),
      ),
    )
    .default({}),
})
const kept = z.object({ compiler: z.string(), output })

export type AbiItem = z.infer<typeof abiItem>
/** `compiler` is the full version of the compiler. Code is hex without 0x, empty if not requested. */
export type SolcOutput = z.infer<typeof output> & { compiler: string }
export type SolcInput = { sources: Record<string, { content: string }>; settings: Record<string, unknown> }

/** Compiler lines, oldest first. */
export const MINORS = ['0.4', '0.5', '0.6', '0.7', '0.8'] as const
export type Minor = (typeof MINORS)[number]

type Installed = { version: string; load: () => Solc }

const places = () => [
  ...(process.env.ASSAY_SOLC_DIR ? [join(process.env.ASSAY_SOLC_DIR, 'package.json')] : []),
  import.meta.url,
]

const find = (minor: Minor): Installed | undefined => {
  for (const place of places()) {
    const require = createRequire(place)
    try {
      const { version }: { version: string } = require(`solc-${minor}/package.json`)
      return { version, load: () => require(`solc-${minor}`) as Solc }
    } catch {}
  }
  return undefined
}

/** Version of a line's package; `undefined` if not installed. */
export const installedVersion = (minor: Minor): string | undefined => find(minor)?.version

/** Whether the compiler of this line is installed. */
export const isInstalled = (minor: Minor): boolean => installedVersion(minor) !== undefined

const recall = (file: string): SolcOutput | undefined => {
  try {
    const { compiler, output } = kept.parse(JSON.parse(readFileSync(file, 'utf8')))
    return { compiler, ...output }
  } catch {
    return undefined
  }
}

const PATIENCE_MS = 180_000
const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/**
 * Waits until a file exists, or until its lock (a link that names the process) is released or its process is gone. Takes the
 * lock in the latter case.
 */
const waitOrTake = (file: string, lock: string): void => {
  const endsAt = Date.now() + PATIENCE_MS
  const turn = new Int32Array(new SharedArrayBuffer(4))
  while (!existsSync(file)) {
    try {
      symlinkSync(`${process.pid}`, lock)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    try {
      if (!isRunning(Number(readlinkSync(lock))) || Date.now() > endsAt) rmSync(lock, { force: true })
    } catch {}
    Atomics.wait(turn, 0, 0, 50)
  }
}

/** Releases a lock if this process holds it. */
const letGo = (lock: string): void => {
  try {
    if (readlinkSync(lock) === `${process.pid}`) rmSync(lock)
  } catch {}
}

const compile = (installed: Installed, input: string, file: string): SolcOutput => {
  const solc = installed.load()
  const answer: unknown = JSON.parse((solc.compileStandardWrapper ?? solc.compile)(input))
  const result = { compiler: solc.version(), output: output.parse(answer) }
  // Written under another name first: other processes must never read a part of it.
  const draft = `${file}.${randomUUID()}.draft`
  writeFileSync(draft, JSON.stringify(result))
  renameSync(draft, file)
  return { compiler: result.compiler, ...result.output }
}

const textOf = ({ sources, settings }: SolcInput): string => JSON.stringify({ language: 'Solidity', sources, settings })
const digest = (version: string, input: string): string =>
  createHash('sha256').update(`${version}\n${input}`).digest('hex')

/** SHA-256 of the input and of the compiler's version. */
export const digestOf = (input: SolcInput, minor: Minor): string => digest(installedVersion(minor) ?? '', textOf(input))

/**
 * The compiler's output, including errors in the sources; cached. Loading a compiler and compiling take seconds.
 * @throws Error if the compiler is not installed
 */
export const runSolc = (asked: SolcInput, minor: Minor = '0.8', cache = join(USER_CACHE, 'solidity')): SolcOutput => {
  const installed = find(minor)
  if (!installed) throw new Error(`solc ${minor} is not installed; npm ci installs it`)
  const input = textOf(asked)
  const name = digest(installed.version, input)
  const file = join(cache, `${name}.json`)
  const known = recall(file)
  if (known) return known
  // A file that a killed process left incomplete is never an answer.
  rmSync(file, { force: true })
  mkdirSync(cache, { recursive: true })
  // Test files that start together need the same contracts: one of them compiles, the others wait.
  const lock = join(cache, `${name}.lock`)
  waitOrTake(file, lock)
  try {
    return recall(file) ?? compile(installed, input, file)
  } finally {
    letGo(lock)
  }
}
