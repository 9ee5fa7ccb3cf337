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

test('concurrent transactions get consecutive nonces with one request to the node', async () => {
  const node = nodeOf([0, 1, 2])
  const submit = createSubmit(node.count, () => 1_000)
  const sent = await Promise.all(Array.from({ length: 30 }, () => submit(node.send)))
  expect(sent).toEqual(Array.from({ length: 30 }, (_, index) => index + 3))
  expect(node.asked).toBe(1)
})

test('ignores a node that does not count a transaction it just accepted', async () => {
  const node = nodeOf()
  const submit = createSubmit(node.count, () => 1_000)
  await submit(node.send)
  node.lag = 1
  expect(await submit(node.send)).toBe(1)
})

test('follows a node that has lost a transaction after one minute', async () => {
  const node = nodeOf()
  let now = 1_000
  const submit = createSubmit(node.count, () => now)
  await submit(node.send)
  node.taken = []
  now += 61_000
  expect(await submit(node.send)).toBe(0)
})

test('requests the nonce again after another process used it', async () => {
  const node = nodeOf()
  const submit = createSubmit(node.count, () => 1_000)
  await submit(node.send)
  node.taken.push(1, 2)
  expect(await submit(node.send)).toBe(3)
})

test('returns another refusal at once, and sends the transactions behind it', async () => {
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

test('a missing response or an already known transaction is no refusal', () => {
  expect(refusalOf(new Error('socket hang up'))).toBe(undefined)
  expect(refusalOf(refused('already known'))).toBe(undefined)
  expect(refusalOf(refused('insufficient funds for gas'))).toBe('insufficient funds for gas')
})
