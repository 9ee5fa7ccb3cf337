import { expect, test } from 'vitest'
import { createRpcPool } from '../../../platform/rpc/pool.ts'
import type { Post } from '../../../platform/rpc/post.ts'
import { authorityQuestionsOf } from '../../../schema/registry/authorities.ts'
import { testContext } from '../../../test/kit/context.ts'
import { createAskAuthorities } from './ask.ts'

const WORD = { yes: `0x${'1'.padStart(64, '0')}`, no: `0x${'0'.repeat(64)}`, nobody: '0x' }
const HEAD = { number: '0x10', hash: '0xab', timestamp: '0x5' }

test('a node without the contract of an authority gives no answer for it', async () => {
  const questions = authorityQuestionsOf('ETH')
  const [listed, denied, absent] = questions.map(({ authority }) => authority)
  const words = new Map([
    [listed, WORD.yes],
    [denied, WORD.no],
  ])
  const post: Post = async (calls) =>
    calls.map(({ method, params }) => {
      const { to } = (method === 'eth_call' ? params[0] : {}) as { to?: string }
      return { result: to === undefined ? HEAD : (words.get(to) ?? WORD.nobody) }
    })
  const context = testContext()
  const pool = createRpcPool({ context, network: 'ETH', urls: ['http://node'], postTo: () => post })
  const asked = await createAskAuthorities(context, { ETH: pool })('ETH', `0x${'77'.repeat(20)}`)
  if (!asked || 'failure' in asked) throw new Error('no answer')
  const { listings, clear, denied: said, height } = asked.answer
  expect(height).toBe(16)
  expect(listings.map(({ authority }) => authority)).toEqual([listed])
  expect([...said]).toEqual([denied])
  expect([...clear]).toEqual(expect.arrayContaining([denied, absent]))
  expect(clear.has(listed ?? '')).toBe(false)
})

test('authorities that could not be asked are asked again after a pause, also after a clock change', async () => {
  let now = 1_700_000_000_000
  let asked = 0
  const post: Post = async (calls) => {
    asked += 1
    return calls.map(() => ({ result: 'nothing of use' }))
  }
  const context = testContext({ now: () => now, sleep: () => new Promise(() => undefined) })
  const pool = createRpcPool({ context: testContext(), network: 'ETH', urls: ['http://node'], postTo: () => post })
  const ask = createAskAuthorities(context, { ETH: pool })
  const question = () => ask('ETH', `0x${'77'.repeat(20)}`)
  expect(await question()).toMatchObject({ failure: expect.anything() })
  const first = asked
  await question()
  expect(asked).toBe(first)
  now -= 3_600_000
  await question()
  expect(asked).toBe(first)
  now += 5_000
  await question()
  expect(asked).toBeGreaterThan(first)
})
