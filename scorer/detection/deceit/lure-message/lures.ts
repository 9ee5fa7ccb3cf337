/**
 * Lures by message: text that invites to a web page, sent to many strangers beside next to nothing. Wallets show it as a payment
 * with a comment. Who is paid something, or has dealt with the sender before, is told and not lured.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { networkInfo } from '../../../../schema/networks.ts'
import { readByTier } from '../../../ledger/reading/tiers.ts'
import { inPieces, type LoadContext, walletsWhere } from '../../context.ts'
import { invites, MIN_LURED } from '../airdrop-phish/lures.ts'

const MESSAGES = readSql(import.meta.url, './messages.sql')
const DEALINGS = readSql(import.meta.url, './dealings.sql')

/** Newest messages of one wallet read. */
const MOST_MESSAGES = 500
/** What pays nobody: a fiftieth of what counts as a payment at all, less than a cent (our choice). */
const SHARE_OF_DUST = 50n

/** What not even the smallest payout pays: the unit or so that wallets attach because they have to (our choice). */
const SHARE_OF_WORTHLESS = 1_000n

/** Words that ask the reader to do something. A payout names a site and a reward, too, but asks for nothing. */
const CALL = /\b(?:claim|visit|redeem|collect|get|grab|open|check|verify|connect|activate|swap|go to|join)\b/i

type Message = {
  address: string
  receiver: string
  message: string
  tx_hash: string
  time: number
  /** 1 where what came with it is no payment, however small. */
  pays_nothing: 0 | 1
}

/** Invitations that a wallet sent to strangers, with five of them as evidence; a text is cut after 200 characters. */
export type MessageLure = {
  /** Strangers who were invited; counting stops at the newest 500 messages. */
  receivers: number
  messages: { receiver: string; text: string; transaction: string }[]
}

/**
 * Lures by the wallet that wrote them. Receivers who dealt with the writer before are told and not lured, so they count
 * for nothing.
 */
export const loadMessageLures = async (context: LoadContext): Promise<Map<string, MessageLure>> => {
  const { store, network, tiers } = context
  const writers = walletsWhere(context, (wallet) => wallet.messages >= MIN_LURED)
  if (writers.length === 0) return new Map()
  const worthless = networkInfo(network).nativeCoin.dust / SHARE_OF_DUST
  const nothing = worthless / SHARE_OF_WORTHLESS
  const rows = await readByTier(store, tiers, writers, (tiered, addresses) =>
    tiered.query<Message>(
      MESSAGES,
      { network, addresses, worthless: `${worthless}`, nothing: `${nothing}`, limit: MOST_MESSAGES },
      { route: 'lure_messages' },
    ),
  )
  const invitations = rows.filter(
    ({ message, pays_nothing }) => invites(message) && (pays_nothing === 1 || CALL.test(message)),
  )
  const found = new Map<string, MessageLure>()
  for (const address of new Set(invitations.map((row) => row.address))) {
    const mine = invitations.filter((row) => row.address === address)
    const first = new Map<string, Message>()
    for (const row of mine) if (!first.has(row.receiver)) first.set(row.receiver, row)
    if (first.size < MIN_LURED) continue
    const dealt = await inPieces(first.keys(), (receivers) =>
      store.query<{ receiver: string }>(
        DEALINGS,
        { network, addresses: [address], receivers },
        { route: 'lure_dealings' },
      ),
    )
    for (const { receiver } of dealt) first.delete(receiver)
    if (first.size < MIN_LURED) continue
    found.set(address, {
      receivers: first.size,
      messages: [...first.values()].slice(0, 5).map(({ receiver, message, tx_hash }) => ({
        receiver,
        text: message.slice(0, 200),
        transaction: tx_hash,
      })),
    })
  }
  return found
}
