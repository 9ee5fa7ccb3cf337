/** Paid calls: payments signed in advance, settled on a local chain or by a facilitator that agrees at once. */
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { Facilitator } from '../../../api/x402/chain/facilitator.ts'
import { createOwnFacilitator } from '../../../api/x402/chain/own-facilitator.ts'
import { PAYMENT_ASSET, PRICE } from '../../../api/x402/protocol/offer.ts'
import { startPaymentChain } from '../../../deploy/demo/payments/chain.ts'
import { secret } from '../../../platform/config/config.ts'

const TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const
const DOMAIN = { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: PAYMENT_ASSET } as const

export const RECEIVER = privateKeyToAccount(generatePrivateKey()).address
const payer = privateKeyToAccount(generatePrivateKey())

const sign = async (): Promise<Record<string, string>> => {
  const now = Math.floor(Date.now() / 1_000)
  const message = {
    from: payer.address,
    to: RECEIVER,
    value: BigInt(PRICE),
    validAfter: BigInt(now - 600),
    validBefore: BigInt(now + 3_000),
    nonce: generatePrivateKey(),
  }
  const signature = await payer.signTypedData({
    domain: DOMAIN,
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message,
  })
  const authorization = Object.fromEntries(Object.entries(message).map(([name, value]) => [name, String(value)]))
  const payment = { x402Version: 1, scheme: 'exact', network: 'base', payload: { signature, authorization } }
  return { 'x-payment': Buffer.from(JSON.stringify(payment)).toString('base64') }
}

/** Headers of that many payments, each with its own nonce. */
export const signPayments = async (count: number): Promise<Record<string, string>[]> => {
  const headers: Record<string, string>[] = []
  for (let made = 0; made < count; made++) headers.push(await sign())
  return headers
}

/** Accepts every payment at once: what remains is our own share of the time. */
export const agreeing: Facilitator = {
  verify: async () => ({ isValid: true }),
  settle: async () => ({ success: true, transaction: '0x' }),
  fate: async () => undefined,
}

/** A facilitator in this process on a local chain that mines at once, with a payer who can pay for `payments`. */
export const startSettlement = async (
  payments: number,
): Promise<{ facilitator: Facilitator; stop: () => Promise<void> }> => {
  const chain = await startPaymentChain()
  const key = generatePrivateKey()
  await chain.fund(privateKeyToAccount(key).address, 10n ** 20n)
  await chain.mint(payer.address, BigInt(PRICE) * BigInt(payments))
  return { facilitator: createOwnFacilitator(chain.rpcUrl, secret(key)), stop: chain.stop }
}
