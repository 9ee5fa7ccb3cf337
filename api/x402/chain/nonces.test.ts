import { RpcRequestError } from 'viem'
import { expect, test } from 'vitest'
import { createSubmit, refusalOf } from './nonces.ts'

const refused = (message: string) =>
  new RpcRequestError({ body: {}, url: 'http://node', error: { code: -32000, message } })

/** A node that counts what it took, or what `lag` says it took. */
const nodeOf = (taken: number[] = []) => {
  const node = {
    taken,
    lag: 0,
    asked: 0,
    count: async () => {
      node.asked++
      return node.taken.length - node.lag
    },
    send: async (nonce: number) => {
      if (nonce < node.taken.length) throw refused('nonce too low: next nonce 7')
      node.taken.push(nonce)
      return nonce
    },
  }
  return node
}

test('transactions sent together get nonces in a row, and the node is asked once', async () => {
  const node = nodeOf([0, 1, 2])
  const submit = createSubmit(node.count, () => 1_000)
  const sent = await Promise.all(Array.from({ length: 30 }, () => submit(node.send)))
  expect(sent).toEqual(Array.from({ length: 30 }, (_, index) => index + 3))
  expect(node.asked).toBe(1)
})

test('a node that does not count yet what it took a moment ago is not believed', async () => {
  const node = nodeOf()
  const submit = createSubmit(node.count, () => 1_000)
  await submit(node.send)
  node.lag = 1
  expect(await submit(node.send)).toBe(1)
})

test('a node that forgot a transaction is believed after a minute', async () => {
  const node = nodeOf()
  let now = 1_000
  const submit = createSubmit(node.count, () => now)
  await submit(node.send)
  node.taken = []
  now += 61_000
  expect(await submit(node.send)).toBe(0)
})

test('a nonce that another process took is asked for again', async () => {
  const node = nodeOf()
  const submit = createSubmit(node.count, () => 1_000)
  await submit(node.send)
  node.taken.push(1, 2)
  expect(await submit(node.send)).toBe(3)
})

test('a refusal for another reason is passed on at once, and those behind it are sent', async () => {
  const node = nodeOf()
  const submit = createSubmit(node.count, () => 1_000)
  let tries = 0
  const poor = submit(async () => {
    tries++
    throw refused('insufficient funds for gas')
  })
  const next = submit(node.send)
  await expect(poor).rejects.toThrow('insufficient funds')
  expect([tries, await next]).toEqual([1, 0])
})

test('an answer that never came, or a copy that is known, is no refusal', () => {
  expect(refusalOf(new Error('socket hang up'))).toBe(undefined)
  expect(refusalOf(refused('already known'))).toBe(undefined)
  expect(refusalOf(refused('insufficient funds for gas'))).toBe('insufficient funds for gas')
})
