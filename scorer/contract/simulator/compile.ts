/** Compiles `Simulator.sol` with the pinned solc-js. `node --import tsx scorer/contract/simulator/compile.ts` rewrites the artifact; a test holds both equal. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { z } from 'zod'

const SOURCE = new URL('./Simulator.sol', import.meta.url)
export const ARTIFACT = new URL('./artifact.json', import.meta.url)

const output = z.object({
  errors: z.array(z.object({ severity: z.string(), formattedMessage: z.string() })).optional(),
  contracts: z
    .record(
      z.string(),
      z.record(z.string(), z.object({ evm: z.object({ deployedBytecode: z.object({ object: z.string() }) }) })),
    )
    .optional(),
})

/** Runtime code of the simulator, compiled now. @throws Error with the compiler's messages. */
export const compileSimulator = (): { compiler: string; runtime: string } => {
  const solc = createRequire(import.meta.url)('solc') as { compile: (input: string) => string; version: () => string }
  const input = {
    language: 'Solidity',
    sources: { 'Simulator.sol': { content: readFileSync(SOURCE, 'utf8') } },
    settings: {
      evmVersion: 'paris',
      viaIR: true,
      optimizer: { enabled: true, runs: 200 },
      metadata: { appendCBOR: false, bytecodeHash: 'none' },
      outputSelection: { '*': { Simulator: ['evm.deployedBytecode.object'] } },
    },
  }
  const parsed = output.parse(JSON.parse(solc.compile(JSON.stringify(input))))
  const runtime = parsed.contracts?.['Simulator.sol']?.Simulator?.evm.deployedBytecode.object
  if (!runtime) throw new Error((parsed.errors ?? []).map((error) => error.formattedMessage).join('\n'))
  return { compiler: solc.version(), runtime: `0x${runtime}` }
}

if (process.argv[1] && import.meta.url.endsWith(process.argv[1].split('/').slice(-3).join('/'))) {
  writeFileSync(ARTIFACT, `${JSON.stringify(compileSimulator(), null, 2)}\n`)
}
