/** Evaluation on bare bytecode: placed on a local chain with a pretended state and a pool, analysed as any contract. */
import { encodeFunctionData, parseAbi, parseEther } from 'viem'
import { createContractAnalysis } from '../../scorer/contract/analysis.ts'
import { contractRegistry } from '../../scorer/contract/registry.ts'
import { createCompiler } from './compiler.ts'
import { deployedBy, startExchangeLab, type Verdict } from './contract-sources.ts'
import { bringToLife, mainContract } from './deployment.ts'
import type { Lab } from './lab.ts'
import { addressFor, pretendState } from './pretend.ts'

export type BytecodeRow = { id: string; label: number | undefined; bytecode: string; source?: string | undefined }

const factory = parseAbi([
  'function createPair(address,address) returns (address)',
  'function getPair(address,address) view returns (address)',
])
const pairAbi = parseAbi(['function mint(address) returns (uint256)'])
const hex = (address: string) => address as `0x${string}`

const exchange = () => {
  const registry = contractRegistry('ETH')
  const v2 = registry?.exchanges.find((item) => item.kind === 'v2')
  if (!registry || v2?.kind !== 'v2') throw new Error('ETH has no V2 exchange')
  return { factory: v2.factory, router: v2.router, wrapped: registry.wrappedNative }
}

/** Places the code, pretends a state and lists it. The pool's tokens are there already: only the base is added. */
const place = async (lab: Lab, bytecode: string): Promise<{ address: string; note: string }> => {
  const { factory: factoryAddress, router, wrapped } = exchange()
  const token = addressFor(bytecode)
  const from = lab.accounts[0] ?? ''
  await lab.ask('anvil_setCode', token, bytecode)
  await lab.send({
    from,
    to: factoryAddress,
    data: encodeFunctionData({ abi: factory, functionName: 'createPair', args: [hex(token), hex(wrapped)] }),
  })
  const data = encodeFunctionData({ abi: factory, functionName: 'getPair', args: [hex(token), hex(wrapped)] })
  const pair = `0x${(await lab.ask<string>('eth_call', { to: factoryAddress, data }, 'latest')).slice(26)}`
  const pretended = await pretendState({ lab, token, pair, router, wrapped })
  try {
    await lab.send({ from, to: wrapped, value: parseEther('20'), data: '0xd0e30db0' })
    await lab.send({
      from,
      to: wrapped,
      data: `0xa9059cbb${pair.slice(2).padStart(64, '0')}${parseEther('20').toString(16).padStart(64, '0')}`,
    })
    await lab.send({ from, to: pair, data: encodeFunctionData({ abi: pairAbi, args: [hex(from)] }) })
  } catch {
    return { address: token, note: 'no pool: the pair sees no tokens' }
  }
  return { address: token, note: pretended.works ? '' : 'no working transfer could be set up' }
}

export type BytecodeOptions = {
  parallel: number /** Deploy a row's source where it has one that compiles. */
  useSources: boolean
}

export const evaluateBytecode = async (
  rows: BytecodeRow[],
  onVerdict: (verdict: Verdict) => void,
  { parallel, useSources }: BytecodeOptions,
): Promise<void> => {
  const queue = [...rows]
  const compiler = createCompiler(parallel)
  const worker = async () => {
    const lab = await startExchangeLab()
    const options = { deadlineMs: 30_000 }
    const creator = lab.accounts[0] ?? ''
    const base = { context: { clock: { now: Date.now, sleep: async () => {} } }, rpc: lab, options }
    const analyse = {
      ETH: createContractAnalysis({ ...base, network: 'ETH', people: deployedBy(creator, 'ETH') }),
      BNB: createContractAnalysis({ ...base, network: 'BNB', people: deployedBy(creator, 'BNB') }),
    }
    try {
      for (let row = queue.shift(); row; row = queue.shift()) {
        const { id, label, bytecode } = row
        const isolated = async <T>(work: () => Promise<T>): Promise<T> => {
          const snapshot = await lab.ask<string>('evm_snapshot')
          try {
            return await work()
          } finally {
            await lab.ask('evm_revert', snapshot)
          }
        }
        const fromCode = () =>
          isolated(async () => {
            const placed = await place(lab, bytecode)
            const started = performance.now()
            const report = await analyse.ETH(placed.address)
            return { ...placed, report, ms: performance.now() - started }
          })
        try {
          const contract =
            useSources && row.source ? mainContract((await compiler.compile(row.source)).contracts) : undefined
          const alive = contract
            ? await isolated(async () => {
                const deployed = await bringToLife(lab, contract)
                if (!deployed) return undefined
                const started = performance.now()
                const report = await analyse[deployed.network === 'BNB' ? 'BNB' : 'ETH'](deployed.address)
                return { ...deployed, report, ms: performance.now() - started }
              })
            : undefined
          const { report, note, ms } = alive ?? (await fromCode())
          onVerdict({ id, label, analysed: report !== undefined, note, report, ms })
        } catch (error) {
          const note = error instanceof Error ? error.message.slice(0, 120) : String(error)
          onVerdict({ id, label, analysed: false, note, report: undefined, ms: 0 })
        }
      }
    } finally {
      await lab.stop()
    }
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  await compiler.close()
}
