import { expect, test } from 'vitest'
import { type Answer, type BatchRequester, batched, type Question } from './batching.ts'

const read = (to: string): Question => ({ method: 'eth_call', params: [{ to, data: '0x' }, 'latest'] })
const logs = (address: string): Question => ({ method: 'eth_getLogs', params: [{ address }] })
const simulation = (to: string, characters = 10): Question => ({
  method: 'eth_call',
  params: [{ to, data: `0x${'0'.repeat(characters - 2)}` }, 'latest', {}],
})
/** Answers every question with itself. `fails` makes a batch or single questions fail. */
const echo = (fails: (questions: Question[]) => Answer[] | undefined = () => undefined) => {
  const batches: Question[][] = []
  const alone: Question[] = []
  const rpc: BatchRequester = {
    batch: async (questions) => {
      batches.push(questions)
      return fails(questions) ?? questions.map((question) => ({ result: question }))
    },
    request: async (question) => {
      alone.push(question)
      return question
    },
  }
  return { batches, alone, requester: batched(rpc) }
}
const many = <T>(count: number, make: (name: string) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(`0x${i}`))

test('questions of one turn share a batch per lane, and a full lane is split', async () => {
  const { batches, alone, requester } = echo()
  const questions = [...many(205, read), ...many(11, logs), ...many(9, simulation)]
  expect(await Promise.all(questions.map(requester.request))).toEqual(questions)
  expect(batches.map((batch) => batch.length)).toEqual([100, 100, 5, 10, 1, 8, 1])
  expect(batches.flat()).toEqual(questions)
  expect(alone).toEqual([])
})

test('long simulations and slow methods are sent alone', async () => {
  const { batches, alone, requester } = echo()
  const slow = [
    simulation('0x1', 6_001),
    { method: 'eth_simulateV1', params: [] },
    { method: 'eth_createAccessList', params: [] },
  ]
  const quick = simulation('0x2', 6_000)
  await Promise.all([...slow, quick].map(requester.request))
  expect(alone).toEqual(slow)
  expect(batches).toEqual([[quick]])
})

test('questions of the next turn go into a new batch', async () => {
  const { batches, requester } = echo()
  await requester.request(read('0x1'))
  await requester.request(read('0x2'))
  expect(batches).toEqual([[read('0x1')], [read('0x2')]])
})

test('a failed question does not fail its neighbours', async () => {
  const { requester } = echo((questions) =>
    questions.map((question, i) => (i === 1 ? { error: new Error('execution reverted') } : { result: question })),
  )
  const settled = await Promise.allSettled(many(3, read).map(requester.request))
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

test('a partly answered batch fails only the questions without an answer', async () => {
  const { requester } = echo((questions) => questions.slice(0, 2).map((question) => ({ result: question })))
  const settled = await Promise.allSettled(many(3, read).map(requester.request))
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
  expect(settled[2]).toMatchObject({ reason: { message: 'the batch was answered in part' } })
})

test('a failed batch fails only its own questions', async () => {
  const { requester } = echo((questions) => {
    if (questions.some(({ method }) => method === 'eth_getLogs')) throw new Error('range too wide')
    return undefined
  })
  const settled = await Promise.allSettled([read('0x1'), logs('0x1'), read('0x2')].map(requester.request))
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})
