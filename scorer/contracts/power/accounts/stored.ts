/** Accounts that stand in storage where functions compare them with the caller, or show them. */
import type { ChainReader } from '../../chain/chain.ts'
import type { FunctionFacts, SlotRef } from '../../code/abstract/facts.ts'
import { storedAddress } from '../probe.ts'
import { withMembers } from './members.ts'

/** Places that are looked at, those that callers are compared with first: how many a contract has is its own choice. */
const MAX_PLACES = 64

/** A place as `Stored` names it. */
export const placeKey = ({ slot, shift }: SlotRef): string => `${slot}:${shift}`

/** What is known of a contract's storage. */
export type Stored = {
  /** Addresses by place, `slot:shift`. */
  stored: Map<string, string>
  /** The functions, with the members of rows among their slots. Of one that obeys a place which was not looked at it is not known whom it obeys. */
  functions: FunctionFacts[]
}

/** Looks at the storage of a contract. @throws as the chain does */
export const readStored = async (
  chain: ChainReader,
  token: string,
  read: readonly FunctionFacts[],
): Promise<Stored> => {
  const functions = await withMembers(chain, token, read)
  const obeyed = functions.flatMap(({ callerSlots }) => callerSlots)
  const shown = functions.flatMap(({ reads }) => reads.filter(({ kind }) => kind === 'address'))
  const places = [...new Map([...obeyed, ...shown].map((ref) => [placeKey(ref), ref]))].slice(0, MAX_PLACES)
  const looked = new Set(places.map(([key]) => key))
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
      facts.callerSlots.every((ref) => looked.has(placeKey(ref))) ? facts : { ...facts, byUnknown: true },
    ),
  }
}
