import { expect, test } from 'vitest'
import { type After, beforeSpan, DAY, momentsOf as drawn, HOUR, withFewBlocks } from './moments.ts'

/** As on a network with blocks at any second, and as on mainnet. */
const momentsOf = (seed: string, timeStep = 1) => drawn({ seed, timeStep })
const SEEDS = Array.from({ length: 60 }, (_, i) => `0x${i}`)

test('moments are the same for one block, and differ for another block', () => {
  const first = momentsOf('0x1')
  momentsOf('0x2')
  expect(momentsOf('0x1')).toEqual(first)
  const times = new Set(SEEDS.flatMap((seed) => momentsOf(seed).samples.map(({ seconds }) => seconds)))
  expect(times.size).toBeGreaterThan(800)
  const ages = new Set(
    SEEDS.flatMap((seed) => momentsOf(seed).ages.map(({ seconds, blocks }) => `${seconds} ${blocks}`)),
  )
  expect(ages.size).toBeGreaterThan(250)
  expect(new Set(SEEDS.map((seed) => momentsOf(seed).ages[2].blocks)).size).toBeGreaterThan(10)
})

test.each(SEEDS.slice(0, 20))('samples cover each part of a day, each day of a week and both parities: %s', (seed) => {
  const { samples } = momentsOf(seed)
  const later = samples.filter(({ seconds }) => seconds >= DAY)
  const count = (keys: number[]) => [...new Set(keys)].map((key) => keys.filter((one) => one === key).length).sort()
  expect(count(later.map(({ seconds }) => Math.floor((seconds % DAY) / (2 * HOUR))))).toEqual(Array(12).fill(1))
  expect(count(later.map(({ seconds }) => Math.floor(seconds / DAY) % 7))).toEqual([1, 1, 2, 2, 2, 2, 2])
  expect(count(samples.map(({ blocks }) => blocks % 2))).toEqual([7, 8])
})

test.each([2, 12])('with blocks every %i seconds, moments fall on blocks', (step) => {
  for (const seed of SEEDS) {
    const { ages, afterRise, far, years, before, repeats, firstSales, samples, routerSamples, weeks } = momentsOf(
      seed,
      step,
    )
    const sampled = [...samples, ...routerSamples]
    const all = [...ages, ...afterRise, far, years, before, ...repeats, ...firstSales, ...sampled, ...weeks]
    expect(all.filter(({ seconds }) => seconds % step !== 0)).toEqual([])
  }
})

test.each(SEEDS)('one open day a week is told from hours of an exchange, whenever they begin: %s', (seed) => {
  const { weeks } = momentsOf(seed)
  expect(weeks).toHaveLength(84)
  for (let now = 0; now < 7 * DAY; now += 37 * 60) {
    const times = weeks.map(({ seconds }) => now + seconds)
    const oneDay = times.filter((time) => Math.floor(time / DAY) % 7 === 0).length
    const exchange = times.filter((time) => time % DAY < 6.5 * HOUR && Math.floor(time / DAY) % 7 < 5).length
    expect(oneDay).toBeLessThan(weeks.length / 6)
    expect(exchange).toBeGreaterThanOrEqual(weeks.length / 6)
  }
})

test('nodes can simulate each sequence: at most 16 blocks, 256 with the gaps, and 12 s per inserted block', () => {
  for (const [seed, step] of SEEDS.flatMap((seed) => [1, 2, 12].map((step) => [seed, step] as const))) {
    const { samples, routerSamples, firstSales, repeats, weeks, ages, far, years, before, afterRise } = momentsOf(
      seed,
      step,
    )
    expect([samples, routerSamples].map((row) => row.length)).toEqual([15, 15])
    expect(samples.at(-1)?.blocks).toBeLessThanOrEqual(40)
    const few = [...repeats, ...weeks].map(withFewBlocks)
    // A token that sells in every second block is told from one that never does.
    expect(new Set(few.map(({ blocks }) => blocks % 2)).size).toBe(2)
    const [hour, halfADay] = firstSales
    const sold = ages.map((age) => ({ seconds: far.seconds + age.seconds, blocks: far.blocks + age.blocks }))
    const risen = { seconds: far.seconds + ages[2].seconds, blocks: far.blocks + ages[2].blocks }
    const from = (span: After) => ({ seconds: risen.seconds + span.seconds, blocks: risen.blocks + span.blocks })
    const bought = ({ seconds, blocks }: After) => ({
      seconds: seconds - before.seconds,
      blocks: blocks - before.blocks,
    })
    const rows = [
      samples,
      routerSamples,
      ...few.flatMap((sale) => [[beforeSpan(sale, ages[1]), sale], [sale]]),
      [...ages, years],
      [far, ...sold],
      ...firstSales.map((sale) => [bought(sale), sale]),
      [far, risen, ...afterRise.map(from)],
    ]
    for (const row of rows) {
      let [seconds, blocks] = [step, 1]
      for (const moment of row) {
        expect(moment.blocks).toBeGreaterThan(blocks)
        expect(moment.seconds - seconds).toBeGreaterThanOrEqual(12 * (moment.blocks - blocks))
        ;[seconds, blocks] = [moment.seconds, moment.blocks]
      }
      expect(blocks).toBeLessThanOrEqual(255)
    }
    // Ages separate taxes of the first hour, of the first day, and later ones.
    expect(ages.map(({ seconds }) => [60, 600, 2 * HOUR, 2 * DAY, 38 * DAY].findIndex((end) => seconds < end))).toEqual(
      [...[0, 1, 2, 3, 4]],
    )
    expect(ages[2].seconds).toBeGreaterThanOrEqual(HOUR)
    // Shorter than the wait of traps that never let one sell while others trade, longer than any honest cooldown.
    expect(before.seconds).toBeLessThanOrEqual(300)
    expect(Math.floor(hour.seconds / HOUR)).toBe(1)
    // Earlier it would not count for a tax that falls all day; later the rest of the day would stay untried.
    expect(halfADay.seconds).toBeGreaterThanOrEqual(DAY / 2)
    expect(halfADay.seconds).toBeLessThan(20 * HOUR)
    expect(repeats.map(({ seconds }) => Math.floor(seconds / DAY) >= 30)).toEqual([false, false, true])
  }
})
