import { expect, test } from 'vitest'
import { committed, markerOf, type Written } from './aborted.ts'

const written = (lastOffset: number, producerId: number, marker?: 'commit' | 'abort'): Written => ({
  lastOffset: BigInt(lastOffset),
  producerId: BigInt(producerId),
  transactional: producerId >= 0,
  marker,
})
const aborted = (producerId: number, firstOffset: number) => ({
  producerId: BigInt(producerId),
  firstOffset: BigInt(firstOffset),
})

test('skips all aborted transactions of several producers that began before the first record', () => {
  const records = [
    written(10, 1),
    written(11, 2),
    written(12, 3),
    written(13, -1),
    written(14, 2, 'abort'),
    written(15, 1),
  ]
  expect(committed(records, [aborted(1, 4), aborted(2, 5)])).toEqual([false, false, true, true, false, false])
})

test('ignores the order in which the broker lists transactions', () => {
  const records = [
    written(1, 1),
    written(2, 2),
    written(3, 1, 'abort'),
    written(4, 1),
    written(5, 2, 'abort'),
    written(6, 2),
  ]
  expect(committed(records, [aborted(2, 2), aborted(1, 1)])).toEqual([false, false, false, true, false, true])
})

test('keeps the committed transaction between two aborted ones of a producer', () => {
  const records = [written(0, 1), written(1, 1, 'abort'), written(2, 1), written(3, 1, 'commit'), written(4, 1)]
  expect(committed(records, [aborted(1, 0), aborted(1, 4)])).toEqual([false, false, true, false, false])
})

test('distinguishes markers by their key', () => {
  expect([markerOf(Buffer.from([0, 0, 0, 0])), markerOf(Buffer.from([0, 0, 0, 1])), markerOf(null)]).toEqual([
    'abort',
    'commit',
    'commit',
  ])
})
