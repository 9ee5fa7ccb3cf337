/** Authorizations as payers sign them, and their way to the token. */
import { createPublicClient, createWalletClient, type Hex, http, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { PAYMENT_ASSET } from '../../../../api/x402/protocol/offer.ts'

export type Account = ReturnType<typeof privateKeyToAccount>

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
export type Change = Partial<{
  to: Hex
  value: string
  validAfter: string
  validBefore: string
  nonce: Hex
  chainId: number
  name: string
}>

/** An authorization over the price of a call. */
export const signTransfer = async (account: Account, receiver: Hex, change: Change = {}) => {
  const { chainId = 8453, name = 'USD Coin', ...fields } = change
  const now = Math.floor(Date.now() / 1_000)
  const authorization = {
    from: account.address,
    to: receiver,
    value: '150000',
    validAfter: String(now - 600),
    validBefore: String(now + 300),
    nonce: generatePrivateKey(),
    ...fields,
  }
  const message = {
    ...authorization,
    value: BigInt(authorization.value),
    validAfter: BigInt(authorization.validAfter),
    validBefore: BigInt(authorization.validBefore),
  }
  const domain = { name, version: '2', chainId, verifyingContract: PAYMENT_ASSET } as const
  const signature = await account.signTypedData({
    domain,
    types: TYPES,
    primaryType: 'TransferWithAuthorization',
    message,
  })
  return { signature, authorization }
}

export type Signed = Awaited<ReturnType<typeof signTransfer>>

/** Calls the token with an authorization, as anybody may. */
export const broadcast = async (rpcUrl: string, key: Hex, { signature, authorization }: Signed): Promise<Hex> => {
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const wallet = createWalletClient({
    chain: base,
    transport: http(rpcUrl),
    account: privateKeyToAccount(key),
  })
  const hash = await wallet.writeContract({
    address: PAYMENT_ASSET,
    abi: parseAbi([
      'function transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,bytes) external',
    ]),
    functionName: 'transferWithAuthorization',
    args: [from, to, BigInt(value), BigInt(validAfter), BigInt(validBefore), nonce, signature],
  })
  await createPublicClient({ chain: base, transport: http(rpcUrl) }).waitForTransactionReceipt({ hash })
  return hash
}
