/**
 * Lures by message: text that invites to a web page, sent to many strangers with next to nothing. Wallets show it as a payment with a
 * comment. Receivers of a real payment, or with earlier dealings with the sender, are not lured.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { networkInfo } from '../../../../schema/networks.ts'
import { readByTier } from '../../../ledger/reading/tiers.ts'
import { groupedBy, inPieces, type LoadContext, walletsWhere } from '../../context.ts'
import { INVITING, MIN_LURED } from '../airdrop-phish/lures.ts'

const MESSAGES = readSql(import.meta.url, './messages.sql')
const DEALINGS = readSql(import.meta.url, './dealings.sql')

/** Newest receivers examined per wallet. Adding accomplices among them costs a payment each. Our choice. */
const MAX_RECEIVERS = 2_000
/** A worthless amount is at most a fiftieth of dust, less than a cent (our choice). */
const SHARE_OF_DUST = 50n

/** Not even the smallest payout: the unit or so that wallets attach because they must (our choice). */
const SHARE_OF_WORTHLESS = 1_000n

/** Words that ask the reader to act. A payout may name a site and a reward too, but asks for nothing. */
const CALL = '(?i)\\b(?:claim|visit|redeem|collect|get|grab|open|check|verify|connect|activate|swap|go to|join)\\b'

type Message = {
  address: string
  receiver: string
  message: string
  tx_hash: string
  time: number
}

/** Invitations that a wallet sent to strangers, with five as evidence. Texts are cut after 200 characters. */
export type MessageLure = {
  /** Number of invited strangers among the newest 2,000 receivers. Below MIN_LURED there may be more. */
  receivers: number
  messages: { receiver: string; text: string; transaction: string }[]
}

/** Loads lures by writer. Receivers with earlier dealings with the writer do not count. */
export const loadMessageLures = async (context: LoadContext): Promise<Map<string, MessageLure>> => {
  const { store, network, tiers } = context
  const writers = walletsWhere(context, (wallet) => wallet.messages >= MIN_LURED)
  if (writers.length === 0) return new Map()
  const worthless = networkInfo(network).nativeCoin.dust / SHARE_OF_DUST
  const nothing = worthless / SHARE_OF_WORTHLESS
  const invitations = await readByTier(store, tiers, writers, (tiered, addresses) =>
    tiered.query<Message>(
      MESSAGES,
      {
        network,
        addresses,
        worthless: `${worthless}`,
        nothing: `${nothing}`,
        ...INVITING,
        call: CALL,
        limit: MAX_RECEIVERS,
      },
      { route: 'lure_messages' },
    ),
  )
  const found = new Map<string, MessageLure>()
  for (const [address, mine] of groupedBy(invitations, (row) => row.address)) {
    if (mine.length < MIN_LURED) continue
    const strangers = new Map(mine.map((row) => [row.receiver, row]))
    const dealt = await inPieces(strangers.keys(), (receivers) =>
      store.query<{ receiver: string }>(
        DEALINGS,
        { network, addresses: [address], receivers },
        { route: 'lure_dealings' },
      ),
    )
    for (const { receiver } of dealt) strangers.delete(receiver)
    if (strangers.size < MIN_LURED && mine.length < MAX_RECEIVERS) continue
    found.set(address, {
      receivers: strangers.size,
      messages: [...strangers.values()].slice(0, 5).map(({ receiver, message, tx_hash }) => ({
        receiver,
        text: message.slice(0, 200),
        transaction: tx_hash,
      })),
    })
  }
  return found
}
