/** Evaluation on bare bytecode: deployed on a local chain with synthesized storage and a pool, analysed as any contract. */
import { encodeFunctionData, parseAbi, parseEther } from 'viem'
import { type ContractReport, createContractAnalysis } from '../../../scorer/contracts/analysis.ts'
import { createCodeReader } from '../../../scorer/contracts/code/reader.ts'
import { contractRegistry } from '../../../scorer/contracts/subject/registry.ts'
import type { Lab } from '../../kit/contracts/markets/exchange-chain.ts'
import { createCompiler } from '../../kit/contracts/solidity/workers.ts'
import { deployAndList, mainContract } from './deployment.ts'
import { deployedBy, startExchangeLab, type Verdict } from './sources.ts'
import { addressFor, type State, synthesizeState } from './synthetic-state.ts'

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

type Placed = { address: string; pair: string; works: boolean; invented: boolean; states: State[] }

/** Deploys the code with a future pool, and searches for states in which it works. */
const place = async (lab: Lab, bytecode: string): Promise<Placed> => {
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
  return { address: token, pair, ...(await synthesizeState({ lab, token, pair, router, wrapped })) }
}

/** Writes the state and lists the token. The pool's tokens are there already: only the base is added. */
const list = async (lab: Lab, { address, pair, works }: Placed, state: State): Promise<string> => {
  const { wrapped } = exchange()
  const from = lab.accounts[0] ?? ''
  const word = (value: bigint) => value.toString(16).padStart(64, '0')
  for (const [slot, value] of state) await lab.ask('anvil_setStorageAt', address, slot, `0x${word(value)}`)
  try {
    await lab.send({ from, to: wrapped, value: parseEther('20'), data: '0xd0e30db0' })
    await lab.send({
      from,
      to: wrapped,
      data: `0xa9059cbb${pair.slice(2).padStart(64, '0')}${word(parseEther('20'))}`,
    })
    await lab.send({ from, to: pair, data: encodeFunctionData({ abi: pairAbi, args: [hex(from)] }) })
  } catch {
    return 'no pool: the pair sees no tokens'
  }
  return works ? '' : 'no working transfer could be set up'
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
  const codes = createCodeReader()
  const worker = async () => {
    const lab = await startExchangeLab()
    const options = { deadlineMs: 30_000, codes }
    const creator = lab.accounts[0] ?? ''
    const base = { context: { clock: { now: Date.now, sleep: async () => {} } }, rpc: lab, options }
    const analyse = {
      ETH: createContractAnalysis({ ...base, network: 'ETH', stakeholders: deployedBy(creator, 'ETH') }),
      BNB: createContractAnalysis({ ...base, network: 'BNB', stakeholders: deployedBy(creator, 'BNB') }),
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
            const looks: { note: string; report: ContractReport | undefined; ms: number }[] = []
            for (const state of placed.states) {
              await isolated(async () => {
                const note = await list(lab, placed, state)
                const started = performance.now()
                const report = await analyse.ETH(placed.address)
                looks.push({ note, report, ms: performance.now() - started })
              })
            }
            const more = looks.slice(1).flatMap((look) => look.report ?? [])
            return { note: '', report: undefined, ms: 0, ...looks[0], more, invented: placed.invented }
          })
        try {
          const contract =
            useSources && row.source ? mainContract((await compiler.compile(row.source)).contracts) : undefined
          const alive = contract
            ? await isolated(async () => {
                const deployed = await deployAndList(lab, contract)
                if (!deployed) return undefined
                const started = performance.now()
                const report = await analyse[deployed.network === 'BNB' ? 'BNB' : 'ETH'](deployed.address)
                return { ...deployed, report, ms: performance.now() - started, more: [], invented: false }
              })
            : undefined
          const { report, note, ms, more, invented } = alive ?? (await fromCode())
          onVerdict({ id, label, analysed: report !== undefined, note, report, ms, more, invented })
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
  await Promise.all([compiler.close(), codes.close()])
}
