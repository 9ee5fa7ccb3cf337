import fc from 'fast-check'
import { expect, test } from 'vitest'
import { programs } from '../../../test/kit/programs.ts'
import { interpret, MOST_WORK, type Work } from './interpret.ts'

/*
 * A few hundred programs in every run; many, and with the figures printed:
 * ASSAY_FUZZ_PROGRAMS=100000 npx vitest run --project unit scorer/contracts/code/interpret.fuzz.test.ts
 */
const COUNT = Number(process.env.ASSAY_FUZZ_PROGRAMS ?? 400)
const LONGEST_MS = 250

const at = (sorted: readonly number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0

test('no program costs more steps, memory or time than any program may', { timeout: 20_000 + 20 * COUNT }, () => {
  const took: number[] = []
  const most: Work = { steps: 0, cells: 0, waiting: 0, notes: 0 }
  let complete = 0
  fc.assert(
    fc.property(programs, (code) => {
      const work: Work = { steps: 0, cells: 0, waiting: 0, notes: 0 }
      const started = process.cpuUsage()
      const facts = interpret(code, work)
      const { user, system } = process.cpuUsage(started)
      took.push((user + system) / 1_000)
      complete += facts.complete ? 1 : 0
      for (const kind of ['steps', 'cells', 'waiting', 'notes'] as const) {
        most[kind] = Math.max(most[kind], work[kind])
        // The instruction that goes beyond the steps is counted and not run.
        expect(work[kind]).toBeLessThanOrEqual(MOST_WORK[kind] + (kind === 'steps' ? 1 : 0))
      }
      expect(facts.functions.length).toBeLessThanOrEqual(512)
      expect(interpret(code)).toEqual(facts)
    }),
    { numRuns: COUNT },
  )
  took.sort((a, b) => a - b)
  const figures = { p50: at(took, 0.5), p99: at(took, 0.99), p9999: at(took, 0.9999), longest: at(took, 1) }
  if (COUNT > 1_000)
    console.info({
      programs: took.length,
      complete,
      over: took.filter((ms) => ms > LONGEST_MS).length,
      ...figures,
      ...most,
    })
  // Time of the processor, whatever else it does; machines differ: one in a hundred may take longer.
  expect(figures.p99).toBeLessThan(LONGEST_MS)
})
