/**
 * Compiles `Simulator.sol` and `Reader.sol`, with what they import, with the pinned solc-js.
 * `node --import tsx scorer/contracts/chain/simulator/compile.ts` rewrites the artifact; a test holds both equal.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { z } from 'zod'

const SOURCES = new URL('./solidity/', import.meta.url)
export const ARTIFACT = new URL('./artifact.json', import.meta.url)

const code = z.object({ object: z.string() })
const contract = z.object({ evm: z.object({ bytecode: code, deployedBytecode: code }) })
const output = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).optional(),
  contracts: z
    .object({ 'Simulator.sol': z.object({ Simulator: contract }), 'Reader.sol': z.object({ Reader: contract }) })
    .optional(),
})

/** Runtime code of the simulator and creation code of the reader, compiled now. @throws Error with the compiler's messages. */
export const compileSimulator = (): { compiler: string; runtime: string; reader: string } => {
  const solc = createRequire(import.meta.url)('solc') as { compile: (input: string) => string; version: () => string }
  const sources = readdirSync(SOURCES).map((name) => [name, { content: readFileSync(new URL(name, SOURCES), 'utf8') }])
  const input = {
    language: 'Solidity',
    sources: Object.fromEntries(sources),
    settings: {
      evmVersion: 'paris',
      viaIR: true,
      optimizer: { enabled: true, runs: 200 },
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { '*': ['evm.bytecode.object', 'evm.deployedBytecode.object'] } },
    },
  }
  const { contracts, errors } = output.parse(JSON.parse(solc.compile(JSON.stringify(input))))
  if (!contracts) throw new Error((errors ?? []).map((error) => error.formattedMessage).join('\n'))
  const simulator = contracts['Simulator.sol'].Simulator.evm.deployedBytecode.object
  const reader = contracts['Reader.sol'].Reader.evm.bytecode.object
  return { compiler: solc.version(), runtime: `0x${simulator}`, reader: `0x${reader}` }
}

if (process.argv[1] && import.meta.url.endsWith(process.argv[1].split('/').slice(-3).join('/'))) {
  writeFileSync(ARTIFACT, `${JSON.stringify(compileSimulator(), null, 2)}\n`)
}
