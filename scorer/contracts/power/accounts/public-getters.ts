/** Addresses that a contract discloses: those that its getters without arguments return. */
import type { ChainReader } from '../../chain/chain.ts'
import { addressOf, type FunctionFacts } from '../../code/abstract/facts.ts'
import type { Subject } from '../../subject/subject.ts'
import { memberIndex } from './members.ts'

/** Getters called, and words read of an answer. */
const MAX_GETTERS = 40
const MAX_WORDS = 8

const isGetter = (facts: FunctionFacts): boolean =>
  !facts.writes && facts.args.length === 0 && facts.selector !== 'fallback'

/** Functions that compare the caller with nothing themselves and call another contract. */
export const externallyGuarded = (functions: readonly FunctionFacts[]): FunctionFacts[] =>
  functions.filter(
    ({ staticCalls, callerSlots, callerConstants, callerMaps }) =>
      staticCalls && callerSlots.length + callerConstants.length + callerMaps.length === 0,
  )

const addressesIn = (answer: string | undefined): string[] =>
  ((answer ?? '').slice(2).match(/.{64}/g) ?? [])
    .slice(0, MAX_WORDS)
    .map((word) => BigInt(`0x${word}`))
    .filter((value) => value > 0xffffn && value >> 160n === 0n)
    .map(addressOf)

/**
 * Places with addresses that getters disclose: `slot:shift` if a getter that reads the slot returns its address, or the
 * address itself if a getter returns it without reading it from storage. The same address from another place does not count:
 * disclosing a fee wallet does not disclose the owner.
 */
export const publicPlaces = async (chain: ChainReader, subject: Subject): Promise<ReadonlySet<string>> => {
  const { token, functions, stored } = subject
  const getters = functions.filter(isGetter).slice(0, MAX_GETTERS)
  const answers = await Promise.all(getters.map((facts) => chain.call({ to: token, data: facts.selector })))
  const shown = new Set<string>()
  for (const [i, { reads, rows }] of getters.entries()) {
    const slots = new Set(reads.map(({ slot }) => slot))
    const isRead = (slot: string) => slots.has(slot) || rows.some((row) => memberIndex(row, BigInt(slot)) !== undefined)
    const read = [...stored].filter(([place]) => isRead(place.slice(0, place.indexOf(':'))))
    for (const address of addressesIn(answers[i])) {
      const places = read.filter(([, held]) => held === address).map(([place]) => place)
      for (const place of places.length > 0 ? places : [address]) shown.add(place)
    }
  }
  return shown
}
