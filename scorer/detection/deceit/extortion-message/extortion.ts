/**
 * Extortion by message (semantics row 14): calldata text to several receivers that both threatens and demands. A single receiver is a
 * quarrel. Victims, bounty hunters and the police also demand and warn, so their vocabulary exonerates. A message with a payment may be
 * from a customer of the sender: exchanges write what customers ask for. English only.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { networkInfo } from '../../../../schema/networks.ts'
import { readByTier } from '../../../ledger/reading/tiers.ts'
import { type LoadContext, walletsWhere } from '../../context.ts'

const MESSAGES = readSql(import.meta.url, './messages.sql')
const PAYMENTS = readSql(import.meta.url, './payments-after.sql')

/** Minimum number of distinct receivers (semantics row 14). */
export const MIN_RECEIVERS = 3
/** Newest receivers of threats examined per wallet. */
const MAX_RECEIVERS = 500
const MAX_PAYMENTS = 1_000
/** A receiver's payments within this time of the message count as its result, s (semantics row 14). */
const WITHIN_S = 30 * 86_400

/** Phrases that do not occur in offers. */
const THREATS = [
  /\b(leak|expose)\w*\b.{0,60}\b(your|the|all|these)\b.{0,40}\b(data|photos?|videos?|nudes?|files?|secrets?|history|identity|recordings?|webcam|contacts|family|friends|wife|husband|employer|documents?)\b/s,
  /\b(your|the|these)\b.{0,40}\b(data|photos?|videos?|nudes?|files?|secrets?|recordings?|documents?)\b.{0,60}\b(leaked|exposed|destroyed|encrypted)\b/s,
  /\b(kill|hurt|harm|shoot|burn|kidnap)\b.{0,30}\b(you|your|family|children|kids)\b/s,
  /\b(ddos|attack|take down|wipe|destroy|shut down)\b.{0,40}\b(your|you)\b/s,
  /\b(ransom|decrypt\w*|blackmail)\b/,
  /\b(family|friends|wife|husband|employer|boss|contacts|followers)\b.{0,60}\b(will (get|see|receive|know|find out))\b/s,
  /\b(dox(x)?( you)?|(report|hand)\b.{0,40}\b(tax (office|authority)|irs))\b/s,
  /\bit will be (exposed|published|leaked|released|sold)\b/,
  /\b(or else|otherwise)\b.{0,60}\b(suffer|regret|consequences|lose everything|will be (leaked|exposed|published|deleted))\b/s,
]
/** Phrases that are threats only together with a condition: photographers publish pictures, and shops send files. */
const CONDITIONAL_THREATS = [
  /\b(publish|release|reveal|share|post|send)\w*\b.{0,60}\b(your|the|all|these)\b.{0,40}\b(data|photos?|videos?|nudes?|files?|secrets?|history|identity|recordings?|webcam|contacts|family|friends|wife|husband|employer|documents?)\b/s,
  /\b(your|the|these)\b.{0,40}\b(data|photos?|videos?|nudes?|files?|secrets?|recordings?|documents?)\b.{0,60}\b(published|released|deleted|locked|sent to)\b/s,
]
const CONDITION =
  /\b(or (else|i|we|your|it will|they will|everyone|everybody)|otherwise|unless|if (you|i|we) (do not|don.?t|fail|refuse|ignore)|if not|failure to)\b/
const DEMANDS = [
  /\bpay (me|us|up)\b/,
  /\b(pay|send|transfer|deposit)\b.{0,80}\b(\d[\d.,]*\s*\$?(eth|btc|bnb|usdt|usdc|dai|matic|pol|trx|sol|ton|usd|dollars?|ether|bitcoin|k)|0x[0-9a-f]{40}|(this|my|our|following) (address|wallet))\b/s,
  /\b(pay|payment|send)\b.{0,60}\b(within|before|until|in the next)\b.{0,30}\b(\d+|hours?|days?|deadline)\b/s,
  /\b\d[\d.,]*\s*\$?(eth|btc|bnb|usdt|usdc|dai|matic|pol|trx|sol|ton)\b.{0,80}\b(within|before|until|to (this|my|our|the following))\b/s,
]
/** Vocabulary of victims of theft and of people who report a vulnerability: the receiver is the accused, or a product. */
const ACQUITTING =
  /\b(bount(y|ies)|white[- ]?hats?|responsible disclosure|vulnerabilit(y|ies)|you (stole|hacked|exploited|drained|robbed|scammed|attacked)|stole(n)? (from|our|my|the|funds|assets|money|coins|tokens|eth|usdt|usdc)|theft|hack(er|ers)|exploit(ed|er|ers)?|return (the|our|my|all|back)|give (it |them )?back|law enforcement|police|fbi|interpol|authorities|lawyers?|legal action|prosecut\w+|court)\b/
/** What only those say who want back what is theirs: an extorter lets nobody keep a part. */
const RECLAIMING =
  /\b((send|transfer|pay|bring|put)( \w+){0,3} back|keep (the (rest|remainder|remaining)|\d+ ?(%|percent))|\d+ ?(%|percent) of (the|all|our|my)|you took|took (from|our|my)|refund\w*|by (mistake|accident)|our (users?|customers?|clients?|community|investors?|holders?|depositors?|treasury))\b/
/** Vocabulary of warnings about extortion, of lending, and of subscriptions. */
const HONEST =
  /\b(beware|(do not|don.?t|never) pay|subscriptions?|renew\w*|(plan|storage|hosting|lease|domain|name)s? (ends?|expires?|expired|runs? out|is due)|loans?|collateral|liquidat\w+|repay\w*|lender)\b/

/**
 * Joins patterns for the statement; the store's syntax (RE2) covers them. The statement must find threats itself, so that other
 * messages, however many, cannot hide one.
 */
const joined = (...patterns: RegExp[]): string => `(?s)${patterns.map(({ source }) => `(?:${source})`).join('|')}`
const EXTORTION = {
  demands: joined(...DEMANDS),
  threats: joined(...THREATS),
  conditional: joined(...CONDITIONAL_THREATS),
  conditions: joined(CONDITION),
  acquitting: joined(ACQUITTING, RECLAIMING, HONEST),
}

type Message = { address: string; receiver: string; message: string; tx_hash: string; time: number }
type Payment = { address: string; payer: string; amount: string; tx_hash: string; time: number }

/** Extortion messages of a wallet, the first to each receiver, and payments that followed. */
export type Extortion = {
  receivers: number
  messages: { receiver: string; text: string; transaction: string }[]
  /** Receivers that paid within 30 days; native base units. Evidence only: extortion does not require payment. */
  payers: { payer: string; amount: bigint; transaction: string }[]
}

/** Loads extortion by writer. */
export const loadExtortion = async (context: LoadContext): Promise<Map<string, Extortion>> => {
  const { store, network } = context
  const addresses = walletsWhere(context, (wallet) => wallet.messages > 0)
  const threats = await readByTier(store, context.tiers, addresses, (tiered, some) =>
    tiered.query<Message>(
      MESSAGES,
      {
        network,
        addresses: some,
        most: `${networkInfo(network).nativeCoin.dust}`,
        ...EXTORTION,
        limit: MAX_RECEIVERS,
      },
      { route: 'messages' },
    ),
  )
  if (threats.length === 0) return new Map()
  const writers = [...new Set(threats.map((row) => row.address))]
  const since = Math.min(...threats.map((row) => row.time))
  const payments = await store.query<Payment>(
    PAYMENTS,
    { network, addresses: writers, since, limit: MAX_PAYMENTS },
    { route: 'payments_after' },
  )
  const found = new Map<string, Extortion>()
  for (const address of writers) {
    const mine = threats.filter((row) => row.address === address)
    const paid = payments.filter(
      ({ address: payee, payer, time }) =>
        payee === address &&
        mine.some((row) => row.receiver === payer && time >= row.time && time - row.time <= WITHIN_S),
    )
    found.set(address, {
      receivers: mine.length,
      messages: mine.slice(0, 5).map(({ receiver, message, tx_hash }) => ({
        receiver,
        text: message.slice(0, 200),
        transaction: tx_hash,
      })),
      payers: paid.slice(0, 10).map(({ payer, amount, tx_hash }) => ({
        payer,
        amount: BigInt(amount),
        transaction: tx_hash,
      })),
    })
  }
  return found
}
