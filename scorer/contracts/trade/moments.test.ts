import { expect, test } from 'vitest'
import { DAY, HOUR, momentsOf } from './moments.ts'

const SEEDS = Array.from({ length: 60 }, (_, i) => `0x${i}`)

test('the same block gives the same moments, and another block others', () => {
  const { samples } = momentsOf('0x1')
  momentsOf('0x2')
  expect(momentsOf('0x1').samples).toEqual(samples)
  const drawn = new Set(SEEDS.flatMap((seed) => momentsOf(seed).samples.map(({ seconds }) => seconds)))
  expect(drawn.size).toBeGreaterThan(800)
})

test.each(SEEDS.slice(0, 20))('each part of a day, each day of a week and either parity is there: %s', (seed) => {
  const { samples, month } = momentsOf(seed)
  const later = samples.filter(({ seconds }) => seconds >= DAY)
  const count = (keys: number[]) => [...new Set(keys)].map((key) => keys.filter((one) => one === key).length).sort()
  expect(count(later.map(({ seconds }) => Math.floor((seconds % DAY) / (2 * HOUR))))).toEqual(Array(12).fill(1))
  expect(count(later.map(({ seconds }) => Math.floor(seconds / DAY) % 7))).toEqual([1, 1, 2, 2, 2, 2, 2])
  expect(count(samples.map(({ blocks }) => blocks % 2))).toEqual([7, 8])
  expect(count(month.map(({ seconds }) => Math.floor((seconds % DAY) / (4 * HOUR))))).toEqual(Array(6).fill(1))
})

test('a node can simulate them one after the other: 16 blocks at most, 256 with those between, 12 s for each that it fills in', () => {
  for (const seed of SEEDS) {
    const { samples, firstSales, repeats } = momentsOf(seed)
    expect(samples).toHaveLength(15)
    expect(samples.at(-1)?.blocks).toBeLessThanOrEqual(40)
    let [seconds, blocks] = [1, 1]
    for (const sample of samples) {
      expect(sample.blocks).toBeGreaterThan(blocks)
      expect(sample.seconds - seconds).toBeGreaterThanOrEqual(12 * (sample.blocks - blocks))
      ;[seconds, blocks] = [sample.seconds, sample.blocks]
    }
    const [hour, halfADay] = firstSales
    expect(Math.floor(hour.seconds / HOUR)).toBe(1)
    // Sooner it would not count for a tax that falls all day; later it would leave the rest of the day untried.
    expect(halfADay.seconds).toBeGreaterThanOrEqual(DAY / 2)
    expect(halfADay.seconds).toBeLessThan(20 * HOUR)
    expect(repeats.map(({ seconds }) => Math.floor(seconds / DAY) >= 30)).toEqual([false, false, true])
  }
})
