/** Refunds on a local chain: what is printed gives the money back, and only what gave it back is recorded. */
import { decodeFunctionData, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Payment } from '../../../../api/x402/ledger.ts'
import { PAYMENT_ASSET } from '../../../../api/x402/protocol/offer.ts'
import { createRefundLookup, planRefunds, recordRefund } from '../../../../api/x402/refunds.ts'
import { type PaymentChain, startPaymentChain } from '../../../../deploy/demo/payments/chain.ts'
import { attemptOf, memoryLedger } from './payments.kit.ts'
import { broadcast, signTransfer } from './x402.kit.ts'

const OPERATOR_KEY = generatePrivateKey()
const receiver = privateKeyToAccount(generatePrivateKey())
const payer = privateKeyToAccount(generatePrivateKey())

let chain: PaymentChain
beforeAll(async () => {
  chain = await startPaymentChain()
  await chain.fund(privateKeyToAccount(OPERATOR_KEY).address, 10n ** 20n)
  await chain.mint(receiver.address, 1_000_000n)
})
afterAll(() => chain?.stop())

const charged = (key: string, change: Partial<Payment> = {}): Payment =>
  attemptOf(key, {
    state: 'confirmed',
    payer: payer.address.toLowerCase(),
    receiver: receiver.address.toLowerCase(),
    asset: PAYMENT_ASSET.toLowerCase(),
    ...change,
  })
const ledgerWith = async (...payments: Payment[]) => {
  const ledger = memoryLedger()
  for (const payment of payments) await ledger.write(payment)
  return ledger
}
const refusal = { code: 'ASSAY_PAYMENT_REFUND', exitCode: 1 }

test('the plan returns the price of charged but unanswered payments to their payers', async () => {
  const ledger = await ledgerWith(
    charged('old', { moved: 1_000 }),
    charged('young', { moved: 9_000 }),
    charged('answered', { state: 'answered' }),
    charged('pending', { state: 'pending' }),
    // The facilitator says so, and no final block does.
    charged('settled', { state: 'settled' }),
    charged('disputed', { state: 'disputed' }),
  )
  const plan = await planRefunds(ledger, 5_000)
  expect(plan.map(({ payment, from, to }) => [payment.key, from, to])).toEqual([
    ['old', receiver.address.toLowerCase(), PAYMENT_ASSET.toLowerCase()],
  ])
  const abi = parseAbi(['function transfer(address to, uint256 value)'])
  expect(decodeFunctionData({ abi, data: plan[0]?.data ?? '0x' }).args).toEqual([payer.address, 150_000n])
})

test('records a refund once, and only with a transaction that returns the payment', async () => {
  const ledger = await ledgerWith(charged('k'), charged('l'), charged('free', { state: 'released' }))
  const lookUp = createRefundLookup(chain.rpcUrl)
  const record = (key: string, transaction: string) => recordRefund(ledger, lookUp, { key, transaction, now: 2_000 })
  const send = async (value: string) =>
    broadcast(chain.rpcUrl, OPERATOR_KEY, await signTransfer(receiver, payer.address, { value }))
  await expect(record('k', `0x${'ab'.repeat(32)}`)).rejects.toMatchObject(refusal)
  await expect(record('k', await send('149999'))).rejects.toMatchObject(refusal)
  const transaction = await send('150000')
  await expect(record('free', transaction)).rejects.toMatchObject(refusal)
  await expect(record('absent', transaction)).rejects.toMatchObject(refusal)
  expect(await record('k', transaction)).toMatchObject({ state: 'refunded', reason: transaction })
  await expect(record('k', transaction)).rejects.toMatchObject(refusal)
  await expect(record('l', transaction)).rejects.toMatchObject(refusal)
  expect(await record('l', await send('150000'))).toMatchObject({ state: 'refunded' })
  expect(await planRefunds(ledger, 5_000)).toEqual([])
})
