import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createThinner, VOTE_PROGRAM } from './thin.ts'

const thinned = (json: string, cuts: readonly number[] = []): unknown => {
  const bytes = Buffer.from(json)
  const thinner = createThinner()
  let out = ''
  let from = 0
  for (const cut of [...cuts].map((one) => one % (bytes.length + 1)).sort((a, b) => a - b)) {
    out += thinner.push(bytes.subarray(from, cut))
    from = cut
  }
  return JSON.parse(out + thinner.push(bytes.subarray(from)) + thinner.end())
}

const payment = { transaction: { message: { accountKeys: ['payer'] } }, meta: { fee: 5_000, preBalances: [10, 1] } }
const vote = (after: number) => ({
  transaction: {
    message: { accountKeys: ['validator', 'votes', VOTE_PROGRAM], instructions: [{ programIdIndex: 2 }] },
  },
  meta: { fee: 5_000, preBalances: [10_000, 7], postBalances: [5_000, after] },
})
const answer = (transactions: unknown[], rest: object = {}) => ({
  jsonrpc: '2.0',
  result: { blockHeight: 5, ...rest, transactions, previousBlockhash: 'x' },
  id: 1,
})
const rounds = fc.array(fc.nat(), { maxLength: 12 })

test('removes vote transactions, and keeps a withdrawal from a vote account', () => {
  fc.assert(
    fc.property(rounds, (cuts) => {
      const whole = JSON.stringify(answer([payment, vote(7), vote(6), payment]))
      expect(thinned(whole, cuts)).toEqual(answer([payment, null, vote(6), payment]))
    }),
    { numRuns: 60 },
  )
})

test('removes logs with any content, and nothing else', () => {
  const logs = ['Program log: "}]\\', '"logMessages":["x"]', ']', '{"transactions":[', 'é🙂']
  const logged = (logMessages: unknown) => ({ ...payment, meta: { ...payment.meta, logMessages, err: null } })
  fc.assert(
    fc.property(rounds, (cuts) => {
      expect(thinned(JSON.stringify(answer([logged(logs), payment])), cuts)).toEqual(answer([logged([]), payment]))
    }),
    { numRuns: 60 },
  )
  expect(thinned(JSON.stringify(answer([logged(null)])))).toEqual(answer([logged(null)]))
})

test('keeps all digits of integers beyond the precision of a double', () => {
  const json = JSON.stringify(answer([{ ...payment, note: '1, 18446744073709551615' }], { blockTime: 1 }))
  const large = json.replace('[10,1]', '[ 500000000000000001,18446744073709551615,10]')
  expect(thinned(large)).toEqual(
    answer(
      [
        {
          ...payment,
          meta: { fee: 5_000, preBalances: ['500000000000000001', '18446744073709551615', 10] },
          note: '1, 18446744073709551615',
        },
      ],
      { blockTime: 1 },
    ),
  )
})

test('passes any other response through unchanged, in any split into chunks', () => {
  fc.assert(
    fc.property(fc.json(), rounds, (json, cuts) => {
      fc.pre(!/\d{16}/.test(json))
      expect(thinned(json, cuts)).toEqual(JSON.parse(json))
    }),
    { numRuns: 300 },
  )
})

test('passes invalid JSON through to the parser', () => {
  expect(() => thinned('{"result":{"transactions":[{"a":1},{"b"')).toThrow(SyntaxError)
  expect(() => thinned(`{"result":{"transactions":[{"${VOTE_PROGRAM}"}]}}`)).toThrow(SyntaxError)
})
