/** Tokens that let buyers sell, and whoever sent tokens or was sent some or not. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Requester } from '../../../scorer/contracts/chain/call.ts'
import { type ListedTokens, startListedTokens } from '../../kit/contracts/tokens/listed-tokens.ts'

let tokens: ListedTokens

beforeAll(async () => {
  tokens = await startListedTokens(new URL('../../kit/contracts/tokens/after-transfers.sol', import.meta.url))
})
afterAll(() => tokens?.stop())

test.each([
  ['GiftWrap', 1],
  ['TillReceipt', 1],
  ['SecondHand', 1],
  ['OneWay', 1],
  ['CoolingRack', 0],
  ['PostOffice', 0],
])('%s: is_whitelisted %i, and buyers sell', async (name, toldApart) => {
  const report = await tokens.analyse((await tokens.list(name)).token)
  expect(report?.indicators).toMatchObject({ is_whitelisted: toldApart, is_honeypot: 0, cannot_buy: 0 })
  expect(report?.unknowns).not.toHaveProperty('is_whitelisted')
  expect(report?.status).toBe('Not Fraud')
  const evidence = JSON.stringify(report?.reasons)
  expect(evidence.includes('accounts that sent or received tokens cannot sell, accounts that only bought can')).toBe(
    toldApart === 1,
  )
})

test('a token that is only bought and sold accuses nobody, as nothing can be sent', async () => {
  const report = await tokens.analyse((await tokens.list('NewShoes')).token)
  expect(report?.indicators).toMatchObject({ is_whitelisted: 0, is_honeypot: 0, cannot_buy: 0 })
  expect(report?.status).toBe('Not Fraud')
})

/** Simulations in turns in which a person sends tokens to another one. */
const sends = (asked: { method: string; params: unknown[] }) =>
  asked.method === 'eth_simulateV1' && JSON.stringify(asked.params).includes('"data":"0xa9059cbb')
/** The last call of each block runs out of gas, as where a node gives all of them together too little. */
const exhausted = (blocks: unknown) =>
  (blocks as { calls: object[] }[]).map(({ calls, ...block }) => ({
    ...block,
    calls: calls.with(-1, { ...calls.at(-1), status: '0x0', returnData: '0x', error: { message: 'out of gas' } }),
  }))
const unanswered = () => new Promise<never>(() => {})

describe('where the node does not run sales after a transfer', () => {
  const failing: [string, (asked: Parameters<Requester['request']>[0]) => Promise<unknown>][] = [
    ['refuses them', () => Promise.reject(new Error('the node is busy'))],
    ['gives them too little gas', async (asked) => exhausted(await tokens.lab.request(asked))],
    ['does not answer', unanswered],
  ]
  test.each(failing)(
    'and %s, it is unknown whether accounts are told apart, and nobody is accused',
    async (_, fail) => {
      const rpc: Requester = { request: (asked) => (sends(asked) ? fail(asked) : tokens.lab.request(asked)) }
      const analyse = tokens.analysisOn(rpc, { requestMs: 3_000 })
      for (const name of ['GiftWrap', 'PostOffice']) {
        const report = await analyse((await tokens.list(name)).token)
        expect(report?.indicators).toMatchObject({ is_whitelisted: 0, is_honeypot: 0, cannot_buy: 0 })
        expect(report?.unknowns.is_whitelisted).toBe('a sale after a transfer could not be tried')
        expect(report?.unknowns).not.toHaveProperty('is_honeypot')
        expect(report?.status).toBe('Not Fraud')
        const [recipient] = report?.facts.simulation.trials.filter(({ trial }) => trial === 'recipient') ?? []
        const sales = recipient?.steps.filter(({ action }) => action === 'sell')
        expect(sales?.map((step) => step.outcome)).toEqual(['not_run', 'not_run'])
      }
    },
  )

  test('or those of whom nobody sent anything, it is unknown as well', async () => {
    // Six moments: those of who sells ever later.
    const rpc: Requester = {
      request: async (asked) => {
        const [first] = asked.params as [{ blockStateCalls?: unknown[] }]
        if (asked.method === 'eth_simulateV1' && first.blockStateCalls?.length === 6)
          throw new Error('the node is busy')
        return tokens.lab.request(asked)
      },
    }
    const report = await tokens.analysisOn(rpc)((await tokens.list('GiftWrap')).token)
    expect(report?.indicators.is_whitelisted).toBe(0)
    expect(report?.unknowns.is_whitelisted).toBe('a sale after a transfer could not be tried')
  })
})

describe('the explanation shows sales after a transfer', () => {
  const stepsOf = async (name: string) => {
    const report = await tokens.analyse((await tokens.list(name)).token)
    const { trials } = report!.facts.simulation
    return (['sender', 'recipient'] as const).map((kind) =>
      trials
        .filter(({ trial }) => trial === kind)
        .map(({ steps }) => steps.map(({ action, part, outcome, reason }) => [action, part, outcome, reason])),
    )
  }
  const sold = (outcome: string, reason: string | null = null) => Array(2).fill(['sell', 0.1, outcome, reason])
  const passedOn = [
    ['buy', 0.001, 'accepted', null],
    ['transfer', 0.5, 'accepted', null],
    ['approve', null, 'accepted', null],
  ]
  const approved = ['approve', null, 'accepted', null]

  test('with the words in which the recipient was refused', async () => {
    expect(await stepsOf('GiftWrap')).toEqual([
      [[...passedOn, ...sold('accepted')]],
      [[approved, ...sold('refused', 'no returns')]],
    ])
  })
  test('of a sender who was refused', async () => {
    expect(await stepsOf('OneWay')).toEqual([
      [[...passedOn, ...sold('refused', 'one way')]],
      [[approved, ...sold('accepted')]],
    ])
  })
  test('of whom nothing could be sent to', async () => {
    const [[sender], [recipient]] = (await stepsOf('NewShoes')) as [unknown[][], unknown[][]]
    expect(sender?.[1]).toEqual(['transfer', 0.5, 'refused', null])
    expect(recipient).toEqual([approved, ...sold('not_run')])
  })
  test('of no token whose transfers keep nothing but balances', async () => {
    expect(await stepsOf('FixedFee')).toEqual([[], []])
  })
})
