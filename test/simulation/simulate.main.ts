/**
 * `npm run simulate -- --seed 7` plays one seed and prints its events; `--seeds 10000 [--from 1] [--first]` plays many and
 * prints the last notes of each that fails, or of the first only. `--mutant NAME` plays them with a bug in the product.
 */
import { parseArgs } from 'node:util'
import { mutantOf, playMutant } from './mutants/mutants.ts'
import { simulate } from './simulate.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string', default: '200' },
    from: { type: 'string', default: '1' },
    notes: { type: 'string', default: '60' },
    first: { type: 'boolean', default: false },
    mutant: { type: 'string' },
  },
})

const one = async (seed: number) => {
  const { failure, events, fingerprint } = await simulate(seed, { onNote: (line) => console.log(line) })
  console.log(`seed ${seed}: ${failure ?? 'holds'} (${events} events, ${fingerprint})`)
  return failure === undefined ? 0 : 1
}

const many = async (from: number, count: number) => {
  const began = Date.now()
  let played = 0
  let failed = 0
  let events = 0
  for (let seed = from; seed < from + count && !(values.first && failed > 0); seed += 1) {
    const outcome = await simulate(seed)
    played += 1
    events += outcome.events
    if (outcome.failure === undefined) continue
    failed += 1
    const notes = outcome.notes.slice(-Number(values.notes)).join('\n')
    console.log(`${notes}\nseed ${seed}: ${outcome.failure}\nPlay it again: npm run simulate -- --seed ${seed}\n`)
  }
  const seconds = (Date.now() - began) / 1_000
  console.log(`${played} seeds, ${failed} failed, ${events} events, ${seconds.toFixed(1)} s`)
  return failed === 0 ? 0 : 1
}

const mutated = async (name: string) => {
  const args = process.argv
    .slice(2)
    .flatMap((arg, at, all) => (arg === '--mutant' || all[at - 1] === '--mutant' ? [] : [arg]))
  const { found, output } = await playMutant(mutantOf(name), args)
  console.log(output)
  return found ? 1 : 0
}

if (values.mutant !== undefined) process.exitCode = await mutated(values.mutant)
else if (values.seed !== undefined) process.exitCode = await one(Number(values.seed))
else process.exitCode = await many(Number(values.from), Number(values.seeds))
