/** Opens the configured payment gate. */

import { createRemoteFacilitator, type Facilitator } from '../../api/x402/chain/facilitator.ts'
import { createPaymentGate, type PaymentGate } from '../../api/x402/gate.ts'
import { createLedger } from '../../api/x402/ledger.ts'
import { createLocalReservations, createRedisReservations, type Reservations } from '../../api/x402/reservations.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context/context.ts'
import { periodically } from '../../platform/context/periodic.ts'
import { OperatorError } from '../../platform/errors.ts'
import type { Store } from '../../platform/store/store.ts'

const RECONCILE_EVERY_MS = 30_000

/** Chain access is loaded only if needed: it takes a second of CPU, and most installations take no payments. */
const facilitatorOf = async (config: Config): Promise<Facilitator> => {
  const { ASSAY_X402_FACILITATOR_URL: url, ASSAY_X402_FACILITATOR_KEY: key, ASSAY_X402_RPC_URL: rpcUrl } = config
  if (url) {
    if (!rpcUrl) return createRemoteFacilitator(url, async () => undefined)
    const { createFateLookup } = await import('../../api/x402/chain/fate.ts')
    return createRemoteFacilitator(url, createFateLookup(rpcUrl))
  }
  if (key && rpcUrl) {
    const { createOwnFacilitator } = await import('../../api/x402/chain/own-facilitator.ts')
    return createOwnFacilitator(rpcUrl, key)
  }
  throw new OperatorError(
    'ASSAY_PAYMENT_CONFIG',
    'ASSAY_X402_RECEIVER is set, but no facilitator is configured, so nothing was started. Set ASSAY_X402_FACILITATOR_URL, or ASSAY_X402_FACILITATOR_KEY with ASSAY_X402_RPC_URL.',
  )
}

const reservationsOf = (context: Context, redisUrl: string | undefined): Reservations => {
  if (!redisUrl) return createLocalReservations(context.clock.now)
  const reservations = createRedisReservations(context, redisUrl)
  context.lifecycle.onClose('payment reservations', reservations.close)
  return reservations
}

/** @throws OperatorError ASSAY_PAYMENT_CONFIG if a receiver is set without a facilitator */
export const openPayments = async (
  context: Context,
  config: Config,
  store: Store,
): Promise<PaymentGate | undefined> => {
  const receiver = config.ASSAY_X402_RECEIVER
  if (!receiver) return undefined
  if (!config.ASSAY_X402_RPC_URL) {
    context.log.warn(
      {},
      'taking payments without a node to verify them: settlements reported by the facilitator are trusted, and payments it loses track of stay unknown. Set ASSAY_X402_RPC_URL',
    )
  }
  const gate = createPaymentGate({
    context,
    receiver,
    facilitator: await facilitatorOf(config),
    reservations: reservationsOf(context, config.REDIS_URL?.reveal()),
    ledger: createLedger(store, context.clock.now),
  })
  periodically(context, 'reconcile payments', RECONCILE_EVERY_MS, async () => void (await gate.reconcile()))
  return gate
}
