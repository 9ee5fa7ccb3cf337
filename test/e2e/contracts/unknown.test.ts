import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Requester } from '../../../scorer/contracts/chain/call.ts'
import { type ListedTokens, startListedTokens } from '../../kit/contracts/tokens/listed-tokens.ts'

let tokens: ListedTokens

beforeAll(async () => {
  tokens = await startListedTokens(new URL('../../kit/contracts/tokens/contract-tokens.sol', import.meta.url))
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

test('a call that no attempt could try leaves what it may do unknown', async () => {
  const { token } = await tokens.list('Issuer')
  const [evidence = ''] = (await tokens.analyse(token))?.findings.mint.evidence ?? []
  const mint = evidence.slice(2, 10)
  const rpc: Requester = {
    request: async (asked) => {
      if (asked.params.length > 2 && callsOf(asked).some(({ data }) => data?.includes(mint)))
        throw new Error('the node is busy')
      return tokens.lab.request(asked)
    },
  }
  const report = await tokens.analysisOn(rpc)(token)
  expect(report?.indicators.is_mintable).toBe(0)
  expect(report?.unknowns.is_mintable).toMatch(/could not be simulated/)
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

/**
 * One address with two nodes behind it. The chosen requests go to the one that is behind: of the block two before, it
 * answers what is asked by number from its own head, and it has no newer block to be asked about by hash.
 */
const balanced = (isBehind: (asked: Asked, nth: number) => boolean): Requester => {
  let nth = 0
  return {
    request: async (asked) => {
      const at = asked.method === 'eth_getStorageAt' ? 2 : 1
      const block = /^eth_(get(Code|StorageAt|Balance|TransactionCount)|call|simulateV1)$/.test(asked.method)
        ? asked.params[at]
        : undefined
      if (block === undefined || !isBehind(asked, nth++)) return tokens.lab.request(asked)
      if (typeof block !== 'string') throw new Error('header not found')
      return tokens.lab.request({ ...asked, params: asked.params.with(at, `0x${(Number(block) - 2).toString(16)}`) })
    },
  }
}
const isSimulation = ({ method, params }: Asked) =>
  method === 'eth_simulateV1' || (method === 'eth_call' && params.length > 2)

test.each<[which: string, isBehind: (asked: Asked, nth: number) => boolean]>([
  ['every second answer', (_, nth) => nth % 2 === 1],
  ['every answer but the first ten', (_, nth) => nth > 10],
  ['every second simulation', (asked, nth) => isSimulation(asked) && nth % 2 === 1],
  ['every simulation', isSimulation],
])('no verdict is made of two blocks: where %s is of a node that is behind', async (_, isBehind) => {
  for (const name of ['Honeypot', 'Issuer', 'Impersonal']) {
    const { token } = await tokens.list(name)
    const sound = await tokens.analyse(token)
    const outcome = await tokens
      .analysisOn(balanced(isBehind))(token)
      .catch((error: unknown) => error)
    if (outcome instanceof Error) {
      expect(outcome).toMatchObject({ code: 'ASSAY_CONTRACT_NODE' })
      continue
    }
    const report = outcome as typeof sound
    const told = Object.entries(report?.indicators ?? {}).filter(([flag]) => report?.unknowns[flag] === undefined)
    expect(sound?.indicators).toMatchObject(Object.fromEntries(told))
    expect(told.length).toBeGreaterThan(0)
  }
})

test('flags that need a price, a creator or other tokens of the creator are unknown without, and weigh nothing', async () => {
  const { token } = await tokens.list('Impersonal')
  const report = await tokens.analyse(token)
  expect(report?.indicators).toMatchObject({ market_cap: 0, honeypot_with_same_creator: 0, gas_abuse: 0, is_proxy: 0 })
  expect(report?.unknowns).toMatchObject({
    market_cap: expect.stringMatching(/no pool gives a USD price/),
    honeypot_with_same_creator: expect.stringMatching(/not known|unknown/),
  })
  expect(report?.unknowns).not.toHaveProperty('gas_abuse')
  expect(report?.unknowns).not.toHaveProperty('is_proxy')
})

test('a node that was behind is simulated on as soon as it is not', async () => {
  const { token } = await tokens.list('Impersonal')
  let behind = true
  let simulated = 0
  const rpc = balanced((asked) => {
    if (!isSimulation(asked)) return false
    if (!behind) simulated += 1
    return behind
  })
  const analyse = tokens.analysisOn(rpc)
  expect((await analyse(token))?.unknowns).toHaveProperty('is_honeypot')
  behind = false
  expect((await analyse(token))?.unknowns).toEqual((await tokens.analyse(token))?.unknowns)
  expect(simulated).toBeGreaterThan(5)
})

test('a node that takes no hash of a block is asked by number', async () => {
  const { token } = await tokens.list('Honeypot')
  const rpc: Requester = {
    request: async (asked) => {
      if (asked.params.slice(1).some((one) => typeof one === 'object' && one !== null && 'blockHash' in one))
        throw new Error('invalid argument 1: json: cannot unmarshal object into Go value of type string')
      return tokens.lab.request(asked)
    },
  }
  expect((await tokens.analysisOn(rpc)(token))?.indicators).toEqual((await tokens.analyse(token))?.indicators)
})
