import { toFunctionSelector } from 'viem'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createPost } from '../../../../platform/rpc/post.ts'
import { batched } from '../../../../scorer/contracts/chain/batching.ts'
import type { Requester } from '../../../../scorer/contracts/chain/call.ts'
import { type ChainReader, createChainReader } from '../../../../scorer/contracts/chain/chain.ts'
import { MAX_WORDS } from '../../../../scorer/contracts/chain/simulator/reader.ts'
import { ZERO } from '../../../../scorer/contracts/chain/simulator/script.ts'
import { findBalanceSlot } from '../../../../scorer/contracts/trade/simulation-setup.ts'
import { type Lab, startLab } from '../../../kit/contracts/markets/exchange-chain.ts'
import { compiledFile, creationOf } from '../../../kit/contracts/solidity/files.ts'

const TIMEOUT_MS = 10_000
const NOWHERE = '0x00000000000000000000000000000000000000f1'

let lab: Lab
let answers: string
/** Calls that reached the node, one list a POST. */
let posts: { method: string; params: readonly unknown[] }[][] = []
let alone: Requester
let inBatches: Requester

beforeAll(async () => {
  lab = await startLab()
  const contracts = compiledFile(new URL('./reads.sol', import.meta.url))
  answers = await lab.deploy(lab.accounts[0] ?? '', creationOf(contracts, 'Answers'))
  const post = createPost(lab.url, Date.now)
  const batch = async (calls: { method: string; params: unknown[] }[]) => {
    posts.push(calls)
    return post(calls, TIMEOUT_MS)
  }
  alone = {
    request: async (call) => {
      const [outcome] = await batch([call])
      if (!outcome || 'error' in outcome) throw outcome?.error ?? new Error('no answer')
      return outcome.result
    },
  }
  inBatches = batched({ ...alone, batch })
})
afterAll(() => lab?.stop())
beforeEach(() => {
  posts = []
})

const readerOf = (rpc: Requester): Promise<ChainReader> =>
  createChainReader(rpc, 'latest', { requestMs: TIMEOUT_MS, endsAt: Date.now() + 60_000, now: Date.now })
/** The same node, which creates nothing in a call. */
const withoutReader = (rpc: Requester): Requester => ({
  request: (call) => {
    const [asked] = call.params
    const creates = call.method === 'eth_call' && typeof asked === 'object' && asked !== null && !('to' in asked)
    return creates ? Promise.reject(new Error('contract creation is not supported')) : rpc.request(call)
  },
})
const ask = (signature: string, argument?: bigint) => ({
  to: answers,
  data: `${toFunctionSelector(signature)}${argument === undefined ? '' : argument.toString(16).padStart(64, '0')}`,
})

type Question = { to: string; data: string }
const question = (name: string, call: () => Question, word: bigint | undefined) => ({ name, call, word })
const questions = [
  question('a word', () => ask('word()'), 7n),
  question('a contract that loops', () => ask('loop()'), undefined),
  question('a word of zeros', () => ask('zero()'), 0n),
  question('a contract that answers 200 KB', () => ask('bomb()'), undefined),
  question('more than a word', () => ask('many()'), 8n),
  question('a refusal', () => ask('refuse()'), undefined),
  question('what was asked', () => ask('echo(uint256)', 2n ** 256n - 1n), 2n ** 256n - 1n),
  question('a refusal of 200 KB', () => ask('refuseLoudly()'), undefined),
  question('less than a word', () => ask('half()'), undefined),
  question('nothing', () => ask('nothing()'), undefined),
  question('a function nobody wrote', () => ask('unheard()'), undefined),
  question('an account without code', () => ({ to: NOWHERE, data: '0x18160ddd' }), undefined),
  question('no data', () => ({ to: ZERO, data: '0x' }), undefined),
  question('more gas than a read is given', () => ask('dear()'), undefined),
  question(
    'a precompile',
    () => ({ to: '0x0000000000000000000000000000000000000004', data: `0x${'11'.repeat(40)}` }),
    BigInt(`0x${'11'.repeat(32)}`),
  ),
  question('a word at the end', () => ask('word()'), 7n),
]
const expected = questions.map(({ name, word }) => [name, word])
const named = (words: readonly (bigint | undefined)[]) => questions.map(({ name }, i) => [name, words[i]])
/** Calls after the reader was made. */
const asked = () => posts.filter((calls) => calls.some(({ method }) => method === 'eth_call'))

test('many words are asked in one call, and what one contract does to it costs its own word only', async () => {
  const reader = await readerOf(alone)
  expect(named(await reader.words(questions.map(({ call }) => call())))).toEqual(expected)
  expect(asked()).toHaveLength(1)
})

test('a node that creates nothing in a call gives the same words, asked one by one', async () => {
  const reader = await readerOf(withoutReader(alone))
  expect(named(await reader.words(questions.map(({ call }) => call())))).toEqual(expected)
  expect(asked()).toHaveLength(questions.length)
})

test('one word alone is the same as among many', async () => {
  const reader = await readerOf(alone)
  const words = await Promise.all(questions.map(async ({ call }) => (await reader.words([call()]))[0]))
  expect(named(words)).toEqual(expected)
})

test('more words than one call takes are asked in several, in their order', async () => {
  const reader = await readerOf(alone)
  const count = MAX_WORDS * 2 + 1
  const numbers = Array.from({ length: count }, (_, i) => BigInt(i))
  expect(await reader.words(numbers.map((number) => ask('echo(uint256)', number)))).toEqual(numbers)
  expect(asked()).toHaveLength(3)
})

test('loops that use up the call make it be asked one by one: their neighbour is answered, however many they are', async () => {
  const reader = await readerOf(alone)
  for (const count of [2, 62, 63, 64, 65, 66, 67, MAX_WORDS - 1]) {
    const crowd = Array.from({ length: count }, () => ask('loop()'))
    expect((await reader.words([...crowd, ask('word()')])).map(String)).toEqual([...crowd.map(() => 'undefined'), '7'])
  }
})

test('words, calls and logs of one turn travel in a batch with their like', async () => {
  const reader = await readerOf(inBatches)
  posts = []
  const [words, word, refusal, loop, logs] = await Promise.all([
    reader.words(questions.map(({ call }) => call())),
    reader.call(ask('word()')),
    reader.call(ask('refuse()')),
    reader.call(ask('loop()')),
    reader.logs({ address: answers, fromBlock: 0 }),
  ])
  expect(named(words)).toEqual(expected)
  expect([BigInt(word ?? 0), refusal, loop, logs]).toEqual([7n, undefined, undefined, []])
  expect(posts.map((calls) => calls.map(({ method }) => method)).sort((a, b) => b.length - a.length)).toEqual([
    ['eth_call', 'eth_call', 'eth_call', 'eth_call'],
    ['eth_getLogs'],
  ])
})

test('more questions than a batch takes fill several, and each keeps its own answer', async () => {
  const reader = await readerOf(inBatches)
  posts = []
  const numbers = Array.from({ length: 230 }, (_, i) => i)
  const got = await Promise.all(
    numbers.map((i) => reader.call(i % 10 === 3 ? ask('refuse()') : ask('echo(uint256)', BigInt(i)))),
  )
  expect(got.map((answer) => (answer === undefined ? undefined : Number(answer)))).toEqual(
    numbers.map((i) => (i % 10 === 3 ? undefined : i)),
  )
  expect(posts.map((calls) => calls.length)).toEqual([100, 100, 30])
})

// Bases of the code that are all wrong, so that the node is asked for what a balance touches.
test.each([
  ['Bookcase', 20],
  ['Library', 0],
])('%s is asked for its balances in some eighty requests at most', async (name, found) => {
  const contracts = compiledFile(new URL('./reads.sol', import.meta.url))
  const token = await lab.deploy(lab.accounts[0] ?? '', creationOf(contracts, name))
  const chain = await readerOf(alone)
  posts = []
  const wrong = Array.from({ length: 400 }, (_, i) => `0x${(1_000 + i).toString(16).padStart(64, '0')}`)
  const slot = await findBalanceSlot(chain, token, wrong)
  expect(slot !== undefined).toBe(found > 0)
  expect(posts.length).toBeLessThan(80)
})
