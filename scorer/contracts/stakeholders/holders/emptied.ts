/** Holders that lost their tokens without sending any: taken without a transfer, or never really received. */
import type { EmptiedHolders } from '../../../../schema/records/explained/token-facts.ts'
import type { ChainReader } from '../../chain/chain.ts'
import { addressOf } from '../../code/abstract/facts.ts'
import { isBlackhole } from '../../subject/blackhole.ts'
import { LOG_BLOCKS } from '../events.ts'
import { TRANSFER } from '../exits/inflows.ts'
import type { Balances } from './balances.ts'

/** A balance below 1/10 of what transfers show counts as gone. */
const GONE = 10n

const unknown = (why: string): EmptiedHolders => ({ compared: null, holders: null, why })

/** Senders of the token in blocks that the tables lack; `undefined` when unknown. */
const sendersSince = async (chain: ChainReader, token: string, height: number): Promise<Set<string> | undefined> => {
  if (height >= chain.height) return new Set()
  if (chain.height - height > LOG_BLOCKS) return undefined
  const logs = await chain.logs({ address: token, topics: [TRANSFER], fromBlock: height + 1 })
  return logs && new Set(logs.map(({ topics }) => addressOf(BigInt(topics[1] ?? '0x0'))))
}

/**
 * Counts compared holders that lost their tokens without a transfer. Contracts do not count, nor do senders since the
 * tables' newest block.
 */
export const readEmptied = async (chain: ChainReader, token: string, balances: Balances): Promise<EmptiedHolders> => {
  const { compared, height } = balances
  if (compared.length === 0) return unknown('why' in balances ? balances.why : 'nobody holds the token')
  const answered = compared.filter(({ held }) => held !== undefined)
  const gone = answered.filter(({ address, moved, held = 0n }) => !isBlackhole(address) && held * GONE < moved)
  if (gone.length === 0) return { compared: answered.length, holders: 0, why: null }
  const [senders, codes] = await Promise.all([
    sendersSince(chain, token, height),
    Promise.all(gone.map(({ address }) => chain.code(address))),
  ])
  if (!senders) return unknown('the tables are behind, and the node did not return the transfers since')
  const emptied = gone.filter(({ address }, i) => (codes[i]?.length ?? 2) <= 2 && !senders.has(address))
  return { compared: answered.length, holders: emptied.length, why: null }
}
