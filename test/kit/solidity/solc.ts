/**
 * The Solidity compilers, and a cache of what they said: standard JSON in, standard JSON out, kept on disk under the hash
 * of the input and the compiler's version. The compilers are the npm packages `solc-0.4` ... `solc-0.8` (aliases of
 * solc), looked up in the folder `ASSAY_SOLC_DIR` first, then in the project.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import { CACHE } from '../cache.ts'

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
/** `compiler` is the full version of the compiler. Code is hex without 0x, empty where it was not asked for. */
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

/** Whether the compiler of this line is installed. */
export const isInstalled = (minor: Minor): boolean => find(minor) !== undefined

const recall = (file: string): SolcOutput | undefined => {
  try {
    const { compiler, output } = kept.parse(JSON.parse(readFileSync(file, 'utf8')))
    return { compiler, ...output }
  } catch {
    return undefined
  }
}

/**
 * What the compiler answers, errors in the sources among it; from the cache where it was asked before. Loading a compiler
 * and compiling take seconds.
 * @throws Error when the compiler is not installed
 */
export const runSolc = (
  { sources, settings }: SolcInput,
  minor: Minor = '0.8',
  cache = join(CACHE, 'solidity'),
): SolcOutput => {
  const installed = find(minor)
  if (!installed) throw new Error(`solc ${minor} is not installed; npm ci installs it`)
  const input = JSON.stringify({ language: 'Solidity', sources, settings })
  const name = createHash('sha256').update(`${installed.version}\n${input}`).digest('hex')
  const file = join(cache, `${name}.json`)
  const known = recall(file)
  if (known) return known
  const solc = installed.load()
  const answer: unknown = JSON.parse((solc.compileStandardWrapper ?? solc.compile)(input))
  mkdirSync(cache, { recursive: true })
  // Under its own name first: other processes must never read half of it.
  const draft = join(cache, `${randomUUID()}.draft`)
  const result = { compiler: solc.version(), output: output.parse(answer) }
  writeFileSync(draft, JSON.stringify(result))
  renameSync(draft, file)
  return { compiler: result.compiler, ...result.output }
}
