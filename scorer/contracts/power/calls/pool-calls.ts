/** Calls that name the pool as the account to take tokens from: fewer tokens in the pool buy less for every seller. */
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import { type Argument, type Candidate, encodeArguments, SELF_SERVICE } from './arguments.ts'
import type { CandidateInput } from './candidates.ts'

/** Percent, for a function whose number is a share. */
const SHARE = 20n

const takes = ({ selector, args, writes, calls }: FunctionFacts): boolean =>
  (writes || calls) && args.includes('address') && !SELF_SERVICE.has(selector)

function* callsOf(facts: FunctionFacts, input: CandidateInput, pool: string, held: bigint): Generator<Candidate> {
  const several = facts.args.filter((kind) => kind === 'address').length > 1
  for (const actor of input.actorsOf(facts)) {
    const addressPairs = several ? [[pool, actor] as const, [actor, pool] as const] : [[pool, pool] as const]
    for (const [first, second] of addressPairs) {
      for (const number of facts.args.includes('uint') ? [held / 4n, SHARE] : [0n]) {
        const nth = facts.args.indexOf('address')
        const args = facts.args.map((kind, i): Argument => {
          if (kind === 'address') return i === nth ? first : second
          if (kind === 'array') return { array: [pool] }
          return kind === 'bool' ? true : number
        })
        const data = encodeArguments(facts.selector, args)
        yield { selector: facts.selector, actor, data, args, kinds: facts.args, actorIsOrigin: false }
      }
    }
  }
}

/** At most `input.limit` calls, with a quarter of the pool's `held` tokens or with a share in percent. */
export const poolCalls = (input: CandidateInput, pool: string, held: bigint): Candidate[] => {
  const found: Candidate[] = []
  if (held === 0n) return found
  for (const facts of input.functions) {
    if (!takes(facts)) continue
    for (const call of callsOf(facts, input, pool, held)) {
      if (found.length >= input.limit) return found
      found.push(call)
    }
  }
  return found
}
