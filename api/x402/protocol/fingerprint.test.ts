import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { fingerprintOf } from './fingerprint.ts'

const of = (text: string) => fingerprintOf('fraud_check', JSON.parse(text))

test.each([
  ['order', '{"network":"ETH","walletAddress":"0x1"}', '{"walletAddress":"0x1","network":"ETH"}'],
  ['whitespace', '{"network":"ETH"}', '{\n  "network" : "ETH"\n}'],
  ['order inside', '{"a":[{"b":1,"c":{"d":2,"e":3}}]}', '{"a":[{"c":{"e":3,"d":2},"b":1}]}'],
  ['escapes and numbers', '{"a":"/","b":100}', '{"b":1e2,"a":"\\u002f"}'],
])('%s of the same request does not matter', (_, one, other) => {
  expect(of(one)).toBe(of(other))
})

test.each([
  ['another value', '{"a":1}', '{"a":"1"}'],
  ['another order of a list', '[1,2]', '[2,1]'],
  ['a field more', '{"a":1}', '{"a":1,"b":null}'],
  ['a field named __proto__', '{"a":1}', '{"a":1,"__proto__":{"b":1}}'],
  ['a list and an object', '["a"]', '{"0":"a"}'],
])('%s is another request', (_, one, other) => {
  expect(of(one)).not.toBe(of(other))
})

test('the same body for another operation is a different request', () => {
  expect(fingerprintOf('fraud_audit', { a: 1 })).not.toBe(fingerprintOf('fraud_check', { a: 1 }))
})

test('two requests are equal exactly if they are the same JSON', () =>
  fc.assert(
    fc.property(fc.json(), fc.json(), (one, other) => {
      expect(of(one)).toBe(of(` ${one} `))
      const same = JSON.stringify(JSON.parse(one)) === JSON.stringify(JSON.parse(other))
      if (of(one) === of(other) && !same) expect(JSON.parse(one)).toEqual(JSON.parse(other))
    }),
  ))

test('computes a fingerprint of the deepest JSON that fits into a body', () => {
  const deep = `${'['.repeat(8_000)}${']'.repeat(8_000)}`
  expect(of(deep)).toMatch(/^[0-9a-f]{64}$/)
  const objects = `${'{"a":'.repeat(2_700)}1${'}'.repeat(2_700)}`
  expect(of(objects)).toMatch(/^[0-9a-f]{64}$/)
})
