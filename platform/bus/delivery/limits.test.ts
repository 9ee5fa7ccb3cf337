import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkSize, MAX_RECORD_BYTES, runsOf, sizeOf } from './limits.ts'

test('batches contain every message once, in order, within the byte limit unless one message exceeds it', () => {
  const message = fc.record({
    key: fc.string(),
    value: fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
  })
  fc.assert(
    fc.property(fc.array(message), fc.integer({ min: 1, max: 120 }), (messages, maxBytes) => {
      const runs = runsOf(messages, maxBytes)
      expect(runs.flat()).toEqual(messages)
      for (const run of runs) {
        expect(run.length).toBeGreaterThan(0)
        if (run.length > 1) expect(run.reduce((sum, each) => sum + sizeOf(each), 0)).toBeLessThanOrEqual(maxBytes)
      }
    }),
  )
})

test('counts key, value and headers in bytes, and refuses oversized messages', () => {
  expect(checkSize('t', { key: 'ü', value: Buffer.alloc(3), headers: { a: 'bc' } })).toBe(8)
  expect(() => checkSize('t', { value: Buffer.alloc(MAX_RECORD_BYTES + 1) })).toThrow(
    '1000001 bytes are more than 1000000',
  )
})
