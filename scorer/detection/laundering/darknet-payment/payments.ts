/** Payments to dark-web services (semantics row 6). Only loaded labels name such services. What a service sends is no act of its receiver. */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Contact } from '../../../ledger/contacts.ts'
import type { WalletFeatures } from '../../../ledger/features/wallet.ts'
import { inPieces, type LoadContext } from '../../context.ts'
import { loadAccused } from '../../shared/accused-parties.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'

const PAYMENTS = readSql(import.meta.url, './payments.sql')

/** Least payment, US dollars (semantics row 6). */
const LEAST_USD = 50

/**
 * A payer of more parties than the first number pays for others, as exchanges and processors do. Between the two numbers it may
 * be either, and the part of its transactions that goes to the service decides. Our choices: people pay some dozens at most.
 */
const MOST_PAYEES = 50
const MANY_PAYEES = 20
const HABIT_SHARE = 0.05

const paysForOthers = ({ out_partners, sent }: WalletFeatures, payments: number): boolean =>
  out_partners > MOST_PAYEES || (out_partners > MANY_PAYEES && payments < HABIT_SHARE * sent)

export type DarknetPayment = { service: string; asset: string; amount: bigint; transaction: string; time: number }

export const loadDarknetPayments = async (
  { store, network, wallets }: LoadContext,
  contacts: ReadonlyMap<string, Contact[]>,
): Promise<Map<string, DarknetPayment[]>> => {
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
  for (const [address, payments] of found) {
    const wallet = wallets.get(address)
    if (!wallet || paysForOthers(wallet, payments.length)) found.delete(address)
  }
  return found
}
