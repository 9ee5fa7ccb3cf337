import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeFrame, encodeFrame, logKey, offsetOf } from './frame.ts'

test('a frame decodes to what was encoded', () => {
  const text = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(
      fc.option(text, { nil: undefined }),
      fc.uint8Array(),
      fc.dictionary(text, text, { noNullPrototype: true }),
      fc.nat(),
      (key, bytes, headers, timestamp) => {
        const value = Buffer.from(bytes)
        const place = { topic: 't', partition: 1, offset: 2n }
        const frame = encodeFrame({ ...(key === undefined ? {} : { key }), value, headers }, timestamp)
        expect(decodeFrame(frame, place)).toEqual({ ...place, key, value, headers, timestamp })
      },
    ),
    { examples: [[undefined, new Uint8Array(), Object.fromEntries([['__proto__', 'a name like any other']]), 0]] },
  )
})

test('log keys sort by topic, partition and offset', () => {
  const part = fc.nat(2 ** 31 - 1)
  const place = fc.tuple(part, part, fc.nat({ max: 2 ** 52 }))
  fc.assert(
    fc.property(place, place, (a, b) => {
      const order = Math.sign(a[0] - b[0] || a[1] - b[1] || a[2] - b[2])
      expect(Math.sign(Buffer.compare(logKey(...a), logKey(...b)))).toBe(order)
      expect(offsetOf(logKey(...a))).toBe(BigInt(a[2]))
    }),
  )
})
