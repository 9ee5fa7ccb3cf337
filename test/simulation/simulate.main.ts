/**
 * `npm run simulate -- --seed 7` plays one seed and prints what happened; `--seeds 10000 [--from 1]` plays many and prints the
 * last notes of each that fails.
 */
import { parseArgs } from 'node:util'
import { simulate } from './simulate.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    notes: { type: 'string', default: '60' },
  },
})

const one = async (seed: number) => {
  const outcome = await simulate(seed, { onNote: (line) => console.log(line) })
  console.log(`seed ${seed}: ${outcome.failure ?? 'holds'} (${outcome.events} events, ${outcome.fingerprint})`)
  return outcome.failure === undefined ? 0 : 1
}

const many = async (from: number, count: number) => {
  const began = Date.now()
  let failed = 0
  let events = 0
  for (let seed = from; seed < from + count; seed += 1) {
    const outcome = await simulate(seed)
    events += outcome.events
    if (outcome.failure === undefined) continue
    failed += 1
    console.log(`${outcome.notes.slice(-Number(values.notes)).join('\n')}\nseed ${seed}: ${outcome.failure}\n`)
  }
  const seconds = (Date.now() - began) / 1_000
  console.log(`${count} seeds, ${failed} failed, ${events} events, ${seconds.toFixed(1)} s`)
  return failed === 0 ? 0 : 1
}

process.exitCode =
  values.seed === undefined ? await many(Number(values.from), Number(values.seeds)) : await one(Number(values.seed))
