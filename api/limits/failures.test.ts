import { expect, test } from 'vitest'
import { createFailures, sourceOf } from './failures.ts'

const failuresAt = (maxAddresses = 10) => {
  let now = 600_000
  const failures = createFailures({ limit: 2, windowMs: 60_000, maxAddresses, now: () => now })
  return { failures, pass: (ms: number) => (now += ms) }
}

test('blocks only an address with too many failures, until the window ends', () => {
  const { failures, pass } = failuresAt()
  failures.fail('192.0.2.1')
  expect(failures.blockedMs('192.0.2.1')).toBe(0)
  failures.fail('192.0.2.1')
  pass(10_000)
  expect([failures.blockedMs('192.0.2.1'), failures.blockedMs('192.0.2.2')]).toEqual([50_000, 0])
  pass(50_000)
  expect(failures.blockedMs('192.0.2.1')).toBe(0)
})

test('memory is bounded for any number of addresses', () => {
  const { failures } = failuresAt(2)
  for (const ip of ['192.0.2.1', '192.0.2.1', '192.0.2.2', '192.0.2.3']) failures.fail(ip)
  expect(failures.blockedMs('192.0.2.1')).toBe(0)
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('%s answers for %s', (ip, source) => {
  expect(sourceOf(ip)).toBe(source)
})
