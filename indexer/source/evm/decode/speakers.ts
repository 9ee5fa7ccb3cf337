/**
 * Whose frames of a transaction are. All are the sender's, but for user operations (ERC-4337): a bundler carries those of anybody who
 * pays for it. What an entry point calls, and all that follows from it, is the account's that the operation is of.
 */
import type { RawTrace } from '../raw.ts'
import type { Cursor } from './cursor.ts'
import { addressAt } from './hex.ts'

/** `createSender(bytes)`, whose answer is the new account, and `initEip7702Sender(address,bytes)` of ERC-4337's SenderCreator. */
const CREATE_SENDER = '0x570e1a36'
const INIT_SENDER = '0xc09ad0d9'

/** The account that a call of an entry point speaks for; empty where the node does not show whose it is. */
const accountOf = ({ to, input = '', output = '' }: RawTrace): string => {
  if (input.startsWith(CREATE_SENDER)) return addressAt(output, 2) ?? ''
  return input.startsWith(INIT_SENDER) ? (addressAt(input, INIT_SENDER.length) ?? '') : to.toLowerCase()
}

/** Names the account that each frame was made by, frames in call order. */
export const createSpeakers = (at: Cursor): ((frame: RawTrace) => string) => {
  const isEntryPoint = (address: string) => at.registry.services.get(address.toLowerCase())?.kind === 'entry-point'
  /** By depth: who speaks in the frames below. */
  const within: string[] = []
  return (frame) => {
    const { depth, type, from, to } = frame
    const speaker = within[depth - 1] ?? at.sender
    within.length = depth
    within[depth] = type === 'call' && isEntryPoint(from) && !isEntryPoint(to) ? accountOf(frame) : speaker
    return speaker
  }
}
