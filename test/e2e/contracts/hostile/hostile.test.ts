import { monitorEventLoopDelay } from 'node:perf_hooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '../../../../platform/context/clock.ts'
import { rugBody } from '../../../../schema/records/rug.ts'
import { type ContractAnalysis, createContractAnalysis } from '../../../../scorer/contracts/analysis.ts'
import { createStakeholders } from '../../../../scorer/contracts/stakeholders/node.ts'
import { type Lab, startLab } from '../../../kit/contracts/markets/exchange-chain.ts'
import { compiledFile } from '../../../kit/contracts/solidity/files.ts'

const DEADLINE_MS = 12_000
/** What may come on top: the code is read and the record built without asking anybody. */
const GRACE_MS = 4_000
const MOST_MEMORY = 300 * 2 ** 20
/** How long anything else in the process may be kept waiting, ms; generous, for machines with other work. */
const MOST_DELAY = 1_500

/** Processor time of both analyses in all threads, ms: eight times what the dearest takes, 64 facets of 1,500 functions. */
const MOST_CPU = 1_500

const sourceOf = (path: string) => compiledFile(new URL(path, import.meta.url))
const hostile = sourceOf('./hostile.sol')
const honest = sourceOf('../../../kit/contracts/tokens/contract-tokens.sol')

let lab: Lab
let analyse: ContractAnalysis
let neighbour: string

const list = async (creation: string) => {
  const from = lab.accounts[0] ?? ''
  const token = await lab.deploy(from, creation)
  await lab.addLiquidity('ETH', from, token, 500_000n * 10n ** 18n, 20n * 10n ** 18n)
  return token
}

beforeAll(async () => {
  lab = await startLab()
  await lab.installExchange('ETH')
  analyse = createContractAnalysis({
    context: { clock: systemClock },
    rpc: lab,
    network: 'ETH',
    stakeholders: createStakeholders({ network: 'ETH' }),
    options: { deadlineMs: DEADLINE_MS },
  })
  neighbour = await list(honest.get('Impersonal')?.creation ?? '')
  await analyse(neighbour)
})
afterAll(() => lab?.stop())

/** Analyses beside an honest contract and looks at what it costs everybody else. */
const endure = async (address: string) => {
  const delay = monitorEventLoopDelay({ resolution: 5 })
  let memory = 0
  const before = process.memoryUsage().rss
  const watch = setInterval(() => {
    memory = Math.max(memory, process.memoryUsage().rss - before)
  }, 20)
  delay.enable()
  const started = performance.now()
  const used = process.cpuUsage()
  try {
    const [report, beside] = await Promise.all([analyse(address), analyse(neighbour)])
    const { user, system } = process.cpuUsage(used)
    const cpu = (user + system) / 1_000
    return { report, beside, ms: performance.now() - started, cpu, delay: delay.max / 1e6, memory }
  } finally {
    clearInterval(watch)
    delay.disable()
  }
}
const expectEndured = ({ report, beside, ms, cpu, delay, memory }: Awaited<ReturnType<typeof endure>>) => {
  expect(rugBody.safeParse(report?.body).error).toBeUndefined()
  expect(beside?.status).toBe('Not Fraud')
  expect(ms).toBeLessThan(DEADLINE_MS + GRACE_MS)
  expect(cpu).toBeLessThan(MOST_CPU)
  expect(delay).toBeLessThan(MOST_DELAY)
  expect(memory).toBeLessThan(MOST_MEMORY)
}

test.each(['LoopsForever', 'ReturnsMegabytes', 'RevertsWithMegabytes', 'EatsMemory', 'Recurses', 'CallsTheWorld'])(
  '%s is analysed within the deadline, in bounded memory, while others are served',
  async (name) => {
    const token = await list(hostile.get(name)?.creation ?? '')
    await lab.send({ from: lab.accounts[0] ?? '', to: token, data: '0x370419e5' })
    expectEndured(await endure(token))
  },
)

const push = (value: number, bytes: number) => (0x5f + bytes).toString(16) + value.toString(16).padStart(bytes * 2, '0')

/** A dispatcher with as many functions as fit; each stores under the caller and answers 1. */
const manyFunctions = (count: number, first = 0x18160000): string => {
  const body = '5b6001335560016000526020 6000f3'.replaceAll(' ', '')
  const entry = 12
  const start = 6 + count * entry
  const cases = Array.from({ length: count }, (_, i) => `80${push(i * 7919 + first, 4)}14${push(start, 3)}57`)
  return `0x6000 35 60e0 1c ${cases.map((one) => one).join('')}`.replaceAll(' ', '') + body
}

test.each([
  ['thousands of functions', () => manyFunctions(2_000)],
  ['jumps everywhere', () => `0x${'5b60003560005756'.repeat(3_000)}`],
  [
    'nothing but noise',
    () =>
      `0x${Array.from({ length: 24_000 }, (_, i) => ((i * i * 31 + i * 17) & 255).toString(16).padStart(2, '0')).join('')}`,
  ],
])('code of %s is read in bounded time', async (_, code) => {
  const address = '0x00000000000000000000000000000000000c0de5'
  await lab.ask('anvil_setCode', address, code())
  expectEndured(await endure(address))
})

test('a diamond of 64 facets of hundreds of functions each is read as far as may be, and known not to be read whole', async () => {
  for (let i = 0; i < 64; i++) {
    const address = `0x${(0xface7000 + i).toString(16).padStart(40, '0')}`
    await lab.ask('anvil_setCode', address, manyFunctions(1_500, 0x10000000 + i * 0x1000000))
  }
  const endured = await endure(await list(hostile.get('ManyFacets')?.creation ?? ''))
  expectEndured(endured)
  expect(endured.report?.examination.subject.proxy.implementations).toHaveLength(64)
  const told = 'is_mintable owner_change_balance is_blacklisted selfdestruct hidden_owner can_take_back_ownership'
  for (const flag of told.split(' ')) expect(endured.report?.unknowns[flag]).toBe('not all of the code could be read')
})
