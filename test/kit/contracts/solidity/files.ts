/**
 * Contracts of tests: a Solidity file and its imports, each file compiled once. The compiled code is committed, as compiling all
 * takes a minute and a half. A changed file is compiled on demand.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { type Compiled, compileOne, inputOf } from './compile.ts'
import { digestOf, type SolcInput } from './solc.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const IMPORT = /^import\s[^"]*"([^"]+)";\n/gm
const nameOf = (file: URL): string => relative(ROOT, fileURLToPath(file))

/** Folder of the compiled code. */
export const KEPT = fileURLToPath(new URL('../../../fixtures/solidity', import.meta.url))
/** `digest` covers the sources and the compiler. */
type Kept = { digest: string; contracts: Compiled[] }

/** A Solidity file and all its imports, imported files first. */
const filesOf = (file: URL, seen = new Map<string, { file: URL; content: string }>()) => {
  const content = readFileSync(file, 'utf8')
  for (const [, path = ''] of content.matchAll(IMPORT)) {
    const imported = new URL(path, file)
    if (!seen.has(nameOf(imported))) filesOf(imported, seen)
  }
  return seen.set(nameOf(file), { file, content })
}
const sourcesOf = (file: URL): SolcInput['sources'] =>
  Object.fromEntries([...filesOf(file)].map(([name, { content }]) => [name, { content }]))

/** Every Solidity file of the tests. */
export const solidityFiles = (): URL[] =>
  readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.sol'))
    .sort()
    .map((path) => pathToFileURL(join(ROOT, 'test', path)))

/** Name of the committed file of a Solidity file. */
export const keptName = (file: URL): string => `${basename(fileURLToPath(file))}.json.br`
/** Digest of a Solidity file's current sources. */
export const digestNow = (file: URL): string => digestOf(inputOf(nameOf(file), sourcesOf(file)), '0.8')
export const pack = (kept: Kept): Buffer => brotliCompressSync(JSON.stringify(kept))
/** The committed code of a Solidity file; `undefined` if there is none. */
export const keptOf = (file: URL): Kept | undefined => {
  const path = join(KEPT, keptName(file))
  return existsSync(path) ? JSON.parse(brotliDecompressSync(readFileSync(path)).toString()) : undefined
}

/** Contracts that the file itself defines. @throws Error with the compiler's message if one does not compile. */
export const compileOwn = (file: URL): Compiled[] => {
  const { contracts, failures } = compileOne('0.8', nameOf(file), sourcesOf(file))
  if (failures[0]) throw new Error(`${file.pathname}: ${failures[0].formattedMessage}`)
  return contracts
}
const ownOf = (file: URL): Compiled[] => {
  const kept = keptOf(file)
  return kept?.digest === digestNow(file) ? kept.contracts : compileOwn(file)
}

/** Deployable contracts of a Solidity file and its imports, by name. @throws Error with the compiler's message if one does not compile. */
export const compiledFile = (file: URL): ReadonlyMap<string, Compiled> =>
  new Map([...filesOf(file).values()].flatMap((one) => ownOf(one.file)).map((item) => [item.name, item]))

/** Creation code of one of them. @throws Error if there is no such contract. */
export const creationOf = (contracts: ReadonlyMap<string, Compiled>, name: string): string => {
  const found = contracts.get(name)
  if (!found) throw new Error(`no contract ${name} was compiled`)
  return found.creation
}
