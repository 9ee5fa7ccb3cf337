/** The chain payments settle on: looking up used authorizations, and settling with the operator's own key. */
import { x402Facilitator } from '@x402/core/facilitator'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator'
import { createPublicClient, createWalletClient, defineChain, type Hex, http, nonceManager, parseAbi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Secret } from '../../platform/config.ts'
import { type Claim, createLocalFacilitator, type Facilitator } from './facilitator.ts'
import { PAYMENT_ASSET, PAYMENT_CHAIN, PAYMENT_CHAIN_ID } from './offer.ts'

const TIMEOUT_MS = 10_000
const ABI = parseAbi(['function authorizationState(address authorizer, bytes32 nonce) view returns (bool)'])

const chainAt = (rpcUrl: string) =>
  defineChain({
    id: PAYMENT_CHAIN_ID,
    name: 'Base',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    contracts: { multicall3: { address: '0xcA11bde05977b3631167028862bE2a173976CA11' } },
  })

const asHex = (text: string): Hex => `0x${text.replace(/^0x/, '')}`

/** Asks the token (EIP-3009 authorizationState) whether an authorization has been used; `undefined` when it cannot be asked. */
export const authorizationLookup = (rpcUrl: string): Facilitator['used'] => {
  const client = createPublicClient({ chain: chainAt(rpcUrl), transport: http(rpcUrl, { timeout: TIMEOUT_MS }) })
  return ({ from, nonce }) =>
    client
      .readContract({
        address: PAYMENT_ASSET,
        abi: ABI,
        functionName: 'authorizationState',
        args: [asHex(from), asHex(nonce)],
      })
      .catch(() => undefined)
}

/** Verifies and settles in this process. The account of `key` pays the gas of settlements. */
export const createOwnFacilitator = (rpcUrl: string, key: Secret): Facilitator => {
  const chain = chainAt(rpcUrl)
  const account = privateKeyToAccount(asHex(key.reveal()), { nonceManager })
  const transport = http(rpcUrl, { timeout: TIMEOUT_MS })
  const reader = createPublicClient({ chain, transport, pollingInterval: 250 })
  const writer = createWalletClient({ chain, transport, account })
  const signer = toFacilitatorEvmSigner({
    address: account.address,
    readContract: (args) => reader.readContract({ ...args, args: args.args ?? [] }),
    verifyTypedData: (args) => reader.verifyTypedData(args as Parameters<typeof reader.verifyTypedData>[0]),
    writeContract: (args) => writer.writeContract(args as Parameters<typeof writer.writeContract>[0]),
    sendTransaction: (args) => writer.sendTransaction(args),
    waitForTransactionReceipt: (args) => reader.waitForTransactionReceipt(args),
    getCode: (args) => reader.getCode(args),
  })
  const engine = new x402Facilitator()
    .register(PAYMENT_CHAIN, new ExactEvmScheme(signer))
    .registerV1('base' as Parameters<x402Facilitator['registerV1']>[0], new ExactEvmSchemeV1(signer))
  const argumentsOf = ({ paymentPayload, paymentRequirements }: Claim) =>
    [paymentPayload, paymentRequirements] as unknown as Parameters<x402Facilitator['verify']>
  return createLocalFacilitator(
    {
      verify: (claim) => engine.verify(...argumentsOf(claim)),
      settle: (claim) => engine.settle(...argumentsOf(claim)),
    },
    authorizationLookup(rpcUrl),
  )
}
