/**
 * Compiles the demonstration's contracts with the pinned solc-js. `node --import tsx test/kit/solidity/demo.ts` rewrites
 * `contracts.json`, which is committed (formatted by `npm run format`) so that a start needs no compiler; a test holds it equal to a fresh compile.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'

const SOURCES = new URL('../../../deploy/demo/contracts/solidity/', import.meta.url)
const ARTIFACT = new URL('../../../deploy/demo/contracts/contracts.json', import.meta.url)

const output = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).optional(),
  contracts: z
    .record(
      z.string(),
      z.record(
        z.string(),
        z.object({ abi: z.array(z.unknown()), evm: z.object({ bytecode: z.object({ object: z.string() }) }) }),
      ),
    )
    .optional(),
})

/** `sources` is the SHA-256 of the Solidity files, by name; `bytecode` is creation code, 0x-hex. */
export type CompiledContracts = {
  compiler: string
  sources: string
  contracts: Record<string, { abi: unknown[]; bytecode: string }>
}

const readSources = () =>
  readdirSync(SOURCES)
    .filter((file) => file.endsWith('.sol'))
    .sort()
    .map((file) => ({ file, content: readFileSync(new URL(file, SOURCES), 'utf8') }))

/** Hash of the Solidity sources as they lie on disk. */
export const hashSources = (): string =>
  readSources()
    .reduce((hash, { file, content }) => hash.update(`${file}\n${content}\n`), createHash('sha256'))
    .digest('hex')

/** @throws Error with the compiler's messages. */
export const compileContracts = (): CompiledContracts => {
  const solc = createRequire(import.meta.url)('solc') as { compile: (input: string) => string; version: () => string }
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(readSources().map(({ file, content }) => [file, { content }])),
    settings: {
      evmVersion: 'cancun',
      optimizer: { enabled: true, runs: 200 },
      outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
    },
  }
  const parsed = output.parse(JSON.parse(solc.compile(JSON.stringify(input))))
  const complaints = (parsed.errors ?? []).map((error) => error.formattedMessage)
  if (complaints.length > 0) throw new Error(complaints.join('\n'))
  const compiled = Object.values(parsed.contracts ?? {})
    .flatMap((file) => Object.entries(file))
    .filter(([, contract]) => contract.evm.bytecode.object !== '')
    .map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` }] as const)
  return { compiler: solc.version(), sources: hashSources(), contracts: Object.fromEntries(compiled) }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(ARTIFACT, `${JSON.stringify(compileContracts(), null, 2)}\n`)
}
