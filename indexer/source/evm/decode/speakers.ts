/**
 * Which account each frame of a transaction acts for: the sender, except for user operations (ERC-4337), which a bundler
 * submits for others. Calls of an entry point, and everything below them, act for the account of the operation.
 */
import type { RawTrace } from '../raw.ts'
import type { Cursor } from './cursor.ts'
import { addressAt } from './hex.ts'

/** ERC-4337's SenderCreator: `createSender(bytes)`, which returns the new account, and `initEip7702Sender(address,bytes)`. */
const CREATE_SENDER = '0x570e1a36'
const INIT_SENDER = '0xc09ad0d9'

/** The account that a call of an entry point acts for; empty if the node does not show it. */
const accountOf = ({ to, input = '', output = '' }: RawTrace): string => {
  if (input.startsWith(CREATE_SENDER)) return addressAt(output, 2) ?? ''
  return input.startsWith(INIT_SENDER) ? (addressAt(input, INIT_SENDER.length) ?? '') : to.toLowerCase()
}

/** Returns the account of each frame; call it with the frames in call order. */
export const createActors = (at: Cursor): ((frame: RawTrace) => string) => {
  const isEntryPoint = (address: string) => at.registry.services.get(address.toLowerCase())?.kind === 'entry-point'
  /** By depth: the account of the frames below. */
  const within: string[] = []
  return (frame) => {
    const { depth, type, from, to } = frame
    const actor = within[depth - 1] ?? at.sender
    within.length = depth
    within[depth] = type === 'call' && isEntryPoint(from) && !isEntryPoint(to) ? accountOf(frame) : actor
    return actor
  }
}
