/**
 * Converts stored features to the aggregates that the trees were trained on. The training table counts transactions as block
 * explorers list them: signed by the account or with it as receiver, including failed ones and calls, without internal transfers
 * and tokens. Ours differ in one point: received dust does not count, so that nobody can move a stranger's score by sending
 * dust (3 % of the honest accounts of the training table ever received any).
 */
import { familyOf, type Network } from '../../../schema/networks.ts'
import { transactionCount, type WalletFeatures } from '../../ledger/features/wallet.ts'
import { type Aggregates, UNKNOWN_AGGREGATES } from './behaviour.ts'

const least = (...times: (number | null)[]): number => Math.min(...times.filter((time) => time !== null))
const most = (...times: (number | null)[]): number => Math.max(...times.filter((time) => time !== null))
const mean = (total: number, count: number): number => (count > 0 ? total / count : 0)

/** Aggregates of a wallet. All unknown (NaN) if it has no transaction that counts. */
export const aggregatesOf = (network: Network, wallet: WalletFeatures): Aggregates => {
  if (transactionCount(wallet) === 0) return UNKNOWN_AGGREGATES
  const { sent, sent_total, paid, paid_total } = wallet
  const signed = { ...UNKNOWN_AGGREGATES, sent }
  if (!familyOf(network).namesReceiver) return signed
  return {
    span: (most(wallet.sent_last, wallet.paid_last) - least(wallet.sent_first, wallet.paid_first)) / 60,
    sent,
    received: paid,
    unique_from: wallet.payers,
    unique_to: wallet.sent_to,
    max_received: wallet.paid_max ?? 0,
    avg_received: mean(paid_total, paid),
    max_sent: wallet.sent_max ?? 0,
    avg_sent: mean(sent_total, sent),
    total_sent: sent_total,
    total_received: paid_total,
  }
}
