import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Requester } from '../../../scorer/contracts/chain/call.ts'
import { type ListedTokens, startListedTokens } from '../../kit/chain/listed-tokens.ts'

let tokens: ListedTokens

beforeAll(async () => {
  tokens = await startListedTokens(new URL('../../kit/chain/contract-tokens.sol', import.meta.url))
})
afterAll(() => tokens?.stop())

type Call = { gas?: string; data?: string }
type Asked = { method: string; params: unknown[] }
const SIMULATED = /^eth_(call|simulateV1)$/
const callsOf = ({ method, params }: Asked): Call[] => {
  const [first] = params as [Call & { blockStateCalls?: { calls: Call[] }[] }]
  if (method === 'eth_simulateV1') return (first.blockStateCalls ?? []).flatMap(({ calls }) => calls)
  return SIMULATED.test(method) ? [first] : []
}

/** The node with a limit of gas for calls: it refuses more, or gives less than it was asked for. */
const capped = (cap: number, way: 'refuses' | 'clamps'): Requester => ({
  request: async (asked) => {
    const over = callsOf(asked).filter(({ gas }) => Number(gas ?? 0) > cap)
    if (over.length > 0 && way === 'refuses') throw new Error(`gas limit is too high, at most ${cap}`)
    const params = structuredClone(asked.params)
    for (const call of callsOf({ ...asked, params })) {
      if (Number(call.gas ?? 0) > cap) call.gas = `0x${cap.toString(16)}`
    }
    return tokens.lab.request({ ...asked, params })
  },
})

test.each([
  [50_000_000, 'refuses'],
  [50_000_000, 'clamps'],
  [30_000_000, 'refuses'],
] as const)('a node that gives calls %s gas and %s more changes no verdict', async (cap, way) => {
  for (const name of ['Honeypot', 'Issuer', 'Impersonal']) {
    const { token } = await tokens.list(name)
    const [free, less] = [await tokens.analyse(token), await tokens.analysisOn(capped(cap, way))(token)]
    expect(less?.unknowns).toEqual(free?.unknowns)
    expect(less?.indicators).toEqual(free?.indicators)
    expect(less?.probability).toBe(free?.probability)
  }
})

test('where a node gives too little gas for any simulation, the local EVM takes over', async () => {
  const { token } = await tokens.list('Honeypot')
  const options = { deadlineMs: 150_000, requestMs: 60_000 }
  const report = await tokens.analysisOn(capped(10_000_000, 'refuses'), options)(token)
  expect(report?.indicators.is_honeypot).toBe(1)
  expect(report?.status).toBe('Fraud')
})

test('a call that was not tried leaves every power unknown that was not found', async () => {
  const { token } = await tokens.list('Issuer')
  const refusing = (nth: number): Requester => {
    let probes = 0
    return {
      request: async (asked) => {
        const [call] = callsOf(asked)
        if (asked.params.length > 2 && (call?.data?.length ?? 0) > 20_000 && ++probes === nth)
          throw new Error('the node is busy')
        return tokens.lab.request(asked)
      },
    }
  }
  const free = await tokens.analyse(token)
  expect(free?.unknowns).not.toHaveProperty('is_mintable')
  // One long script after the other is refused once: whatever it was to show is found at the next attempt, or unknown.
  for (const nth of [1, 2, 3]) {
    const report = await tokens.analysisOn(refusing(nth))(token)
    for (const flag of ['is_mintable', 'owner_change_balance', 'transfer_pausable'] as const) {
      expect(report?.indicators[flag] === 1 || report?.unknowns[flag] !== undefined).toBe(true)
    }
  }
})

/** The node without one of the long simulations in turns, by what tells them apart. */
const withoutTurns = (told: (blocks: number) => boolean): Requester => ({
  request: async (asked) => {
    const [first] = asked.params as [{ blockStateCalls?: unknown[] }]
    if (asked.method === 'eth_simulateV1' && told(first.blockStateCalls?.length ?? 0))
      throw new Error('the node is busy')
    return tokens.lab.request(asked)
  },
})

test.each([
  ['of those who sell first an hour later', (blocks: number) => blocks === 3],
  ['of those who sell ever later', (blocks: number) => blocks === 6],
])('a tax that falls is no proof where simulations %s were refused', async (_, told) => {
  const { token } = await tokens.list('PatientGarden')
  expect((await tokens.analyse(token))?.unknowns).not.toHaveProperty('is_honeypot')
  const report = await tokens.analysisOn(withoutTurns(told))(token)
  expect(report).toMatchObject({ status: 'Not Fraud', indicators: { is_honeypot: 0 } })
  expect(report?.unknowns).toHaveProperty('is_honeypot')
})

test('code that cannot be followed to its end is not called clean', async () => {
  const { token } = await tokens.pool(await tokens.deploy('Wanders'))
  const report = await tokens.analyse(token)
  for (const flag of [
    'is_mintable',
    'owner_change_balance',
    'is_blacklisted',
    'selfdestruct',
    'hidden_owner',
  ] as const) {
    expect(report?.indicators[flag]).toBe(0)
    expect(report?.unknowns[flag]).toBe('not all of the code could be read')
  }
})

test('what is unknown adds nothing to the risk score', async () => {
  const report = await tokens.analyse((await tokens.list('Impersonal')).token)
  expect(report?.unknowns.is_open_source).toBeDefined()
  expect(report?.reasons.risk.map(({ code }) => code)).not.toContain('closed_source')
})
