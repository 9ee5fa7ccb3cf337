/** Contracts of tests: a Solidity file and what it imports, each file compiled once whoever imports it. */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Compiled, compileOne } from './compile.ts'

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url))
const IMPORT = /^import\s[^"]*"([^"]+)";\n/gm
const nameOf = (file: URL): string => relative(ROOT, fileURLToPath(file))

/** A Solidity file and all that it imports, what is imported before what imports it. */
const filesOf = (file: URL, seen = new Map<string, { file: URL; content: string }>()) => {
  const content = readFileSync(file, 'utf8')
  for (const [, path = ''] of content.matchAll(IMPORT)) {
    const imported = new URL(path, file)
    if (!seen.has(nameOf(imported))) filesOf(imported, seen)
  }
  return seen.set(nameOf(file), { file, content })
}

const ownOf = (file: URL): Compiled[] => {
  const sources = Object.fromEntries([...filesOf(file)].map(([name, { content }]) => [name, { content }]))
  const { contracts, failures } = compileOne('0.8', nameOf(file), sources)
  if (failures[0]) throw new Error(`${file.pathname}: ${failures[0].formattedMessage}`)
  return contracts
}

/** Deployable contracts of a Solidity file, and of those it imports, by name. @throws Error with the compiler's words when one does not compile. */
export const compiledFile = (file: URL): ReadonlyMap<string, Compiled> =>
  new Map([...filesOf(file).values()].flatMap((one) => ownOf(one.file)).map((item) => [item.name, item]))

/** Creation code of one of them. @throws Error when there is no such contract. */
export const creationOf = (contracts: ReadonlyMap<string, Compiled>, name: string): string => {
  const found = contracts.get(name)
  if (!found) throw new Error(`no contract ${name} was compiled`)
  return found.creation
}
