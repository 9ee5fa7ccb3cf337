/**
 * Contracts of tests, compiled once for all test files: what a text compiled to is kept beside the installed packages,
 * under a name that changes with the text, the way it is compiled and the compilers installed.
 */
import { createHash, randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { type Compiled, compileSource } from './compile.ts'

const ROOT = new URL('../../..', import.meta.url)
const FOLDER = new URL('node_modules/.cache/assay-solidity/', ROOT)

const kept = z.array(
  z.object({
    name: z.string(),
    abi: z.array(
      z.object({
        type: z.string(),
        name: z.string().optional(),
        stateMutability: z.string().optional(),
        payable: z.boolean().optional(),
        inputs: z.array(z.object({ type: z.string(), name: z.string() })),
      }),
    ),
    creation: z.string(),
    runtime: z.string(),
  }),
)

const recall = (file: URL): z.infer<typeof kept> | undefined => {
  try {
    return kept.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    return undefined
  }
}

const IMPORT = /^import\s[^"]*"([^"]+)";\n/gm

/** A Solidity file with what it imports put in the place of the imports, each file once. */
const sourceOf = (file: URL, seen = new Set<string>()): string => {
  if (seen.has(file.href)) return ''
  seen.add(file.href)
  return readFileSync(file, 'utf8').replace(IMPORT, (_, path: string) => sourceOf(new URL(path, file), seen))
}

/** Deployable contracts of a Solidity file, and of those it imports, by name. @throws Error with the compiler's words when none compiles. */
export const compiledFile = (file: URL): ReadonlyMap<string, Compiled> => {
  const source = sourceOf(file)
  const hash = createHash('sha256').update(source)
  for (const path of ['test/kit/solidity/compile.ts', 'package-lock.json'])
    hash.update(readFileSync(new URL(path, ROOT)))
  const place = new URL(`${hash.digest('hex')}.json`, FOLDER)
  const known = recall(place)
  if (known) return new Map(known.map((item) => [item.name, item]))
  const { contracts, problem } = compileSource(source)
  if (contracts.length === 0) throw new Error(`${file.pathname}: ${problem}`)
  mkdirSync(FOLDER, { recursive: true })
  const draft = new URL(`${randomUUID()}.tmp`, FOLDER)
  writeFileSync(draft, JSON.stringify(contracts))
  renameSync(draft, place)
  return new Map(contracts.map((item) => [item.name, item]))
}

/** Creation code of one of them. @throws Error when there is no such contract. */
export const creationOf = (contracts: ReadonlyMap<string, Compiled>, name: string): string => {
  const found = contracts.get(name)
  if (!found) throw new Error(`no contract ${name} was compiled`)
  return found.creation
}
