/** Functions that a contract delegates individually to code at an address in a slot or a constant. */
import type { ChainReader } from '../chain/chain.ts'
import type { FunctionFacts } from '../code/abstract/facts.ts'
import type { CodeReader } from '../code/reader.ts'
import { delegateTargets } from './proxy.ts'

/** Maximum number of contracts whose code is read. Contracts linked with libraries have a handful. */
const MAX_CODES = 16

/** Facts of the delegated functions. They have to be tried on the contract itself. */
export const delegatedFunctions = async (
  chain: ChainReader,
  codes: CodeReader,
  address: string,
  functions: readonly FunctionFacts[],
): Promise<{ functions: FunctionFacts[]; complete: boolean }> => {
  const wanted = new Map<string, Set<string>>()
  let complete = true
  for (const facts of functions.filter((one) => one.selector !== 'fallback' && one.delegates)) {
    const found = await delegateTargets(chain, address, facts)
    complete &&= found?.incomplete !== true
    for (const target of found?.targets ?? []) wanted.set(target, (wanted.get(target) ?? new Set()).add(facts.selector))
  }
  const handed: FunctionFacts[] = []
  for (const [target, selectors] of [...wanted].slice(0, MAX_CODES)) {
    const { facts } = await codes.read(await chain.code(target))
    handed.push(...facts.functions.filter(({ selector }) => selectors.has(selector)))
    complete &&= facts.complete
  }
  return { functions: handed, complete: complete && wanted.size <= MAX_CODES }
}
