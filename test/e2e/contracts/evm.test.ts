import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../platform/context/clock.ts'
import { type ContractReport, createContractAnalysis } from '../../../scorer/contracts/analysis.ts'
import type { Requester } from '../../../scorer/contracts/chain/call.ts'
import type { LocalEvm } from '../../../scorer/contracts/chain/evm/local.ts'
import { createStakeholders } from '../../../scorer/contracts/stakeholders/node.ts'
import { SHARED_THREADS } from '../../kit/contracts/analysis-threads.ts'
import { type Lab, startLab } from '../../kit/contracts/markets/exchange-chain.ts'
import { compiledFile } from '../../kit/contracts/solidity/files.ts'
import { THOROUGH } from '../../kit/thorough.ts'

let lab: Lab
const contracts = compiledFile(new URL('../../kit/contracts/tokens/contract-tokens.sol', import.meta.url))

beforeAll(async () => {
  lab = await startLab()
  await lab.installExchange('ETH')
})
afterAll(() => lab?.stop())

const list = async (name: string) => {
  const found = contracts.get(name)
  const from = lab.accounts[0] ?? ''
  const token = await lab.deploy(from, found?.creation ?? '')
  const pair = await lab.addLiquidity('ETH', from, token, 500_000n * 10n ** 18n, 20n * 10n ** 18n)
  if (found?.abi.some((item) => item.name === 'setPool')) {
    await lab.send({ from, to: token, data: `0x4437152a${pair.slice(2).padStart(64, '0')}` })
  }
  return token
}

type Node = { rpc: Requester; overridden: () => number }
/** The same node behind something that lets no override through. */
const behind = (refuse: (call: { method: string; params: unknown[] }) => Promise<unknown>): Node => {
  let overridden = 0
  return {
    overridden: () => overridden,
    rpc: {
      request: (call) => {
        const special = call.method === 'eth_simulateV1' || (call.method === 'eth_call' && call.params.length > 2)
        if (!special) return lab.request(call)
        overridden++
        return refuse(call)
      },
    },
  }
}
const refusing = () => behind(({ method }) => Promise.reject(new Error(`method ${method} with 3 params not supported`)))
const ignoring = () =>
  behind((call) =>
    call.method === 'eth_simulateV1'
      ? Promise.reject(new Error('the method eth_simulateV1 does not exist'))
      : lab.request({ method: 'eth_call', params: call.params.slice(0, 2) }),
  )
/** What both ways have to agree on. */
const judged = (report: ContractReport | undefined) => {
  const { indicators, unknowns, probability } = report ?? {}
  return { indicators, unknowns, probability }
}
const analysisOf = (rpc: Requester, evm?: LocalEvm) =>
  createContractAnalysis({
    context: { clock: systemClock },
    rpc,
    network: 'ETH',
    stakeholders: createStakeholders({ network: 'ETH' }),
    options: { ...SHARED_THREADS, deadlineMs: 150_000, requestMs: 60_000, ...(evm ? { evm } : {}) },
  })

// Honeypot is judged both ways below, where a node ignores overrides.
test.each(['FixedFee', 'ClosesByAge', ...(THOROUGH ? ['Honeypot', 'Impersonal', 'Issuer', 'NotOpen'] : [])])(
  '%s is judged alike by a node with overrides and by the in-process EVM',
  async (name) => {
    const token = await list(name)
    const node = refusing()
    const [byNode, byEvm] = [await analysisOf(lab)(token), await analysisOf(node.rpc)(token)]
    expect(byNode?.indicators).toBeDefined()
    expect(judged(byEvm)).toEqual(judged(byNode))
    expect(node.overridden()).toBeLessThan(5)
  },
)

test('a node that ignores overrides instead of refusing them is found out', async () => {
  const token = await list('Honeypot')
  const node = ignoring()
  const started = performance.now()
  const [byEvm, byNode] = [await analysisOf(node.rpc)(token), await analysisOf(lab)(token)]
  expect(byNode?.indicators.is_honeypot).toBe(1)
  expect(judged(byEvm)).toEqual(judged(byNode))
  expect(performance.now() - started).toBeLessThan(60_000)
})

test('where neither works the answer is unknown, with its reason', async () => {
  const token = await list('Honeypot')
  const evm: LocalEvm = { run: async () => ({ failure: '@ethereumjs/evm is not installed' }), close: async () => {} }
  const report = await analysisOf(refusing().rpc, evm)(token)
  expect(report?.indicators.is_honeypot).toBe(0)
  expect(report?.unknowns.is_honeypot).toBe(
    'trades could not be simulated: the node does not support state overrides, and @ethereumjs/evm is not installed',
  )
})
