/** Functions that a contract hands on, each by itself, to code that a slot or a constant names. */
import type { ChainReader } from '../chain/chain.ts'
import type { FunctionFacts } from '../code/abstract/facts.ts'
import type { CodeReader } from '../code/reader.ts'
import { borrowedBy } from './proxy.ts'

/** Contracts whose code is read. Those that are linked with libraries have a handful. */
const MOST_CODES = 16

/** What such code shows of the functions that are handed on to it. It has to be tried on the contract itself. */
export const handedOn = async (
  chain: ChainReader,
  codes: CodeReader,
  address: string,
  functions: readonly FunctionFacts[],
): Promise<{ functions: FunctionFacts[]; complete: boolean }> => {
  const wanted = new Map<string, Set<string>>()
  let complete = true
  for (const facts of functions.filter((one) => one.selector !== 'fallback' && one.delegates)) {
    const found = await borrowedBy(chain, address, facts)
    complete &&= found?.cut !== true
    for (const target of found?.targets ?? []) wanted.set(target, (wanted.get(target) ?? new Set()).add(facts.selector))
  }
  const handed: FunctionFacts[] = []
  for (const [target, selectors] of [...wanted].slice(0, MOST_CODES)) {
    const { facts } = await codes.read(await chain.code(target))
    handed.push(...facts.functions.filter(({ selector }) => selectors.has(selector)))
    complete &&= facts.complete
  }
  return { functions: handed, complete: complete && wanted.size <= MOST_CODES }
}
