/** Payments to dark-web services (semantics row 6). Only loaded labels name such services. Receiving from one is no act of the receiver. */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Contact } from '../../../ledger/contacts.ts'
import type { WalletFeatures } from '../../../ledger/features/wallet.ts'
import { groupedBy, inPieces, type LoadContext } from '../../context.ts'
import { loadAccused } from '../../shared/accused-parties.ts'
import { counterpartyLoader } from '../../shared/counterparties.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'

const PAYMENTS = readSql(import.meta.url, './payments.sql')
const PAYERS = readSql(import.meta.url, './payers.sql')

/** Minimum payment, US dollars (semantics row 6). */
const LEAST_USD = 50

/**
 * A wallet with more payees than the first number pays for others, as exchanges and processors do. Between the two numbers, the
 * share of its transactions that goes to the service decides. Our choices: people pay some dozens at most.
 */
const MAX_PAYEES = 50
const MANY_PAYEES = 20
const HABIT_SHARE = 0.05

const paysForOthers = ({ out_partners, sent }: WalletFeatures, payments: number): boolean =>
  out_partners > MAX_PAYEES || (out_partners > MANY_PAYEES && payments < HABIT_SHARE * sent)

/**
 * A wallet with more payees or payers does not look personal: a young exchange, a shop or a payroll has few payees too, and a
 * single payment may be a customer's. Our choice.
 */
const PERSON_PARTIES = 10
/** Number of payers that are deposit addresses, because this wallet is their only payee although others paid them. Our choice. */
const DEPOSIT_ADDRESSES = 3
/** A payer with at least this many payers and at most this many payees collects for a service. Our choices. */
const COLLECTED_FROM = 10
const COLLECTS_FOR = 3
/** Minimum payments, on different days, and minimum share of transactions that make it the wallet's own habit. */
const HABIT_PAYMENTS = 3
const OWN_SHARE = 0.1

const DAY_S = 86_400

const isHabit = ({ sent }: WalletFeatures, payments: readonly DarknetPayment[]): boolean =>
  payments.length >= Math.max(HABIT_PAYMENTS, OWN_SHARE * sent) &&
  new Set(payments.map(({ time }) => Math.floor(time / DAY_S))).size > 1

/** Whether its payers include deposit addresses or a collecting wallet of a service. */
const fedByService = (payers: readonly WalletFeatures[]): boolean =>
  payers.filter(({ in_partners, out_partners }) => in_partners > 0 && out_partners === 1).length >= DEPOSIT_ADDRESSES ||
  payers.some(({ in_partners, out_partners }) => in_partners >= COLLECTED_FROM && out_partners <= COLLECTS_FOR)

/** A payment to a labelled service. `amount` in base units, `time` in Unix seconds. */
type DarknetPayment = { service: string; asset: string; amount: bigint; transaction: string; time: number }

/** Payments of a wallet to dark-web services, and whether it evidently paid for itself. */
export type DarknetPayments = { payments: DarknetPayment[]; forItself: boolean }

/** The payers that look personal by their own payees and payers. */
const personalWallets = async (context: LoadContext, payers: readonly WalletFeatures[]): Promise<Set<string>> => {
  const few = payers.filter(
    ({ in_partners, out_partners }) => in_partners <= PERSON_PARTIES && out_partners <= PERSON_PARTIES,
  )
  const addresses = few.map(({ address }) => address)
  const rows = await inPieces(addresses, (some) =>
    context.store.query<{ address: string; counterparty: string }>(
      PAYERS,
      { network: context.network, addresses: some },
      { route: 'dark_payers' },
    ),
  )
  const met = await counterpartyLoader(context)(rows.map(({ counterparty }) => counterparty))
  const fed = groupedBy(rows, ({ address }) => address)
  const isPerson = (address: string) =>
    !fedByService((fed.get(address) ?? []).flatMap(({ counterparty }) => met.get(counterparty) ?? []))
  return new Set(addresses.filter(isPerson))
}

/** Loads payments by wallet. Reads nothing for wallets without a labelled service among their `contacts`. */
export const loadDarknetPayments = async (
  context: LoadContext,
  contacts: ReadonlyMap<string, Contact[]>,
): Promise<Map<string, DarknetPayments>> => {
  const { store, network, wallets } = context
  const paid = [...contacts].flatMap(([address, list]) =>
    list
      .filter(({ own, native_out, token_out }) => own > 0 && native_out + token_out > 0)
      .map(({ counterparty }) => ({ address, counterparty })),
  )
  const known = await inPieces(
    paid.map(({ counterparty }) => counterparty),
    (parties) => loadAccused(store, network, parties, ['darknet']),
  )
  const dark = new Set(known)
  const dealers = [...new Set(paid.filter(({ counterparty }) => dark.has(counterparty)).map(({ address }) => address))]
  if (dealers.length === 0) return new Map()
  const thresholds = usdThresholds(network, LEAST_USD)
  const rows = await store.query<{
    address: string
    counterparty: string
    asset: string
    amount: string
    tx_hash: string
    time: number
  }>(
    PAYMENTS,
    { network, addresses: dealers, parties: [...dark], assets: [...thresholds.keys()] },
    { route: 'dark_payments' },
  )
  const found = new Map<string, DarknetPayment[]>()
  for (const { address, counterparty: service, tx_hash: transaction, ...payment } of rows) {
    const amount = BigInt(payment.amount)
    if (amount < (thresholds.get(payment.asset) ?? Number.POSITIVE_INFINITY)) continue
    found.set(address, [...(found.get(address) ?? []), { service, transaction, ...payment, amount }])
  }
  const payers = [...found].flatMap(([address, payments]) => {
    const wallet = wallets.get(address)
    return wallet && !paysForOthers(wallet, payments.length) ? [{ wallet, payments }] : []
  })
  const unsure = payers.filter(({ wallet, payments }) => !isHabit(wallet, payments)).map(({ wallet }) => wallet)
  const persons = await personalWallets(context, unsure)
  return new Map(
    payers.map(({ wallet, payments }) => [
      wallet.address,
      { payments, forItself: !unsure.includes(wallet) || persons.has(wallet.address) },
    ]),
  )
}
