/** Reads addresses from the storage slots that functions compare with the caller or return. */
import type { ChainReader } from '../../chain/chain.ts'
import type { FunctionFacts, SlotRef } from '../../code/abstract/facts.ts'
import { withMembers } from './members.ts'
import { storedAddress } from './stored-address.ts'

/** Places read, those compared with the caller first. A contract can have any number of them. */
const MAX_PLACES = 64

/** Key of a place in `Stored`: `slot:shift`. */
export const placeKey = ({ slot, shift }: SlotRef): string => `${slot}:${shift}`

/** Addresses in a contract's storage. */
export type Stored = {
  /** Addresses by `slot:shift`. */
  stored: Map<string, string>
  /** The functions, with the members of rows among their `callerSlots`. `byUnknown` is set if a slot was not read. */
  functions: FunctionFacts[]
}

/** Reads a contract's storage. @throws what `chain.slot` throws */
export const readStored = async (
  chain: ChainReader,
  token: string,
  read: readonly FunctionFacts[],
): Promise<Stored> => {
  const functions = await withMembers(chain, token, read)
  const callers = functions.flatMap(({ callerSlots }) => callerSlots)
  const addresses = functions.flatMap(({ reads }) => reads.filter(({ kind }) => kind === 'address'))
  const places = [...new Map([...callers, ...addresses].map((ref) => [placeKey(ref), ref]))].slice(0, MAX_PLACES)
  const wasRead = new Set(places.map(([key]) => key))
  const stored = new Map<string, string>()
  await Promise.all(
    places.map(async ([key, { slot, shift }]) => {
      const address = storedAddress(await chain.slot(token, slot), shift)
      if (address) stored.set(key, address)
    }),
  )
  return {
    stored,
    functions: functions.map((facts) =>
      facts.callerSlots.every((ref) => wasRead.has(placeKey(ref))) ? facts : { ...facts, byUnknown: true },
    ),
  }
}
