import fc from 'fast-check'
import { expect, test } from 'vitest'
import { didYouMean, nearest } from './nearest.ts'

const NAMES = ['status', 'sql', 'screen', 'scorer', 'api', 'audit']

test.each([
  ['statu', 'status'],
  ['sttaus', 'status'],
  ['STATUS', 'status'],
  ['screem', 'screen'],
  ['sq', 'sql'],
  ['apis', 'api'],
  ['deploy', undefined],
  ['x', undefined],
  ['', undefined],
])('%s is taken for %s', (given, meant) => {
  expect(nearest(given, NAMES)).toBe(meant)
})

test('a limit excludes names that differ more', () => {
  expect(nearest('KAFKA_BROKER_ID', ['KAFKA_BROKERS'], 1)).toBeUndefined()
  expect(nearest('KAFKA_BROKRES', ['KAFKA_BROKERS'], 1)).toBe('KAFKA_BROKERS')
})

test('suggests only a similar name', () => {
  expect(didYouMean('statu', NAMES)).toBe(' Did you mean status?')
  expect(didYouMean('nothing-like-it', NAMES)).toBe('')
})

test('finds a name with one letter changed, missing or doubled', () => {
  fc.assert(
    fc.property(fc.constantFrom('ASSAY_DATA', 'ETH_RPC_URL', 'KAFKA_BROKERS'), fc.nat(), (name, n) => {
      const at = n % name.length
      const kinds = [
        name.slice(0, at) + name.slice(at + 1),
        `${name.slice(0, at)}?${name.slice(at + 1)}`,
        name.slice(0, at) + name.slice(at, at + 1) + name.slice(at),
      ]
      for (const one of kinds) expect(nearest(one, [name, 'REDIS_URL'], 1)).toBe(name)
    }),
  )
})
