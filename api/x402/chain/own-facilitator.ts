/** A facilitator in this process, with the operator's key. */
import { x402Facilitator } from '@x402/core/facilitator'
import { toFacilitatorEvmSigner } from '@x402/evm'
import { ExactEvmScheme } from '@x402/evm/exact/facilitator'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/facilitator'
import {
  concat,
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeFunctionData,
  type Hex,
  HttpRequestError,
  http,
  LimitExceededRpcError,
  ResourceUnavailableRpcError,
  TimeoutError,
  type Transport,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Secret } from '../../../platform/config/config.ts'
import { PAYMENT_CHAIN, PAYMENT_CHAIN_ID } from '../protocol/offer.ts'
import { type Claim, createLocalFacilitator, type Facilitator } from './facilitator.ts'
import { createFateLookup } from './fate.ts'
import { createSubmit, refusalOf } from './nonces.ts'

const TIMEOUT_MS = 10_000
/** How long to wait for the receipt of a transaction, ms. Later ones are looked up on chain. */
const CONFIRMATION_MS = 60_000

const chainAt = (rpcUrl: string) =>
  defineChain({
    id: PAYMENT_CHAIN_ID,
    name: 'Base',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
    contracts: { multicall3: { address: '0xcA11bde05977b3631167028862bE2a173976CA11' } },
  })

const isOutage = (error: unknown): boolean =>
  [HttpRequestError, TimeoutError, LimitExceededRpcError, ResourceUnavailableRpcError].some(
    (kind) => error instanceof kind,
  )

/** HTTP transport that reports outages of the node, even if the caller converts the error. */
const watched =
  (rpcUrl: string, away: (error: unknown) => void): Transport =>
  (options) => {
    const transport = http(rpcUrl, { timeout: TIMEOUT_MS })(options)
    const request = ((args, how) => {
      const asked = transport.request(args, how)
      asked.catch((error: unknown) => {
        if (isOutage(error)) away(error)
      })
      return asked
    }) as typeof transport.request
    return { ...transport, request }
  }

type OnError = (error: unknown) => void
const ignore: OnError = () => undefined

const asHex = (text: string): Hex => `0x${text.replace(/^0x/, '')}`

/**
 * Verifies and settles in this process. The account of `key` pays the gas of settlements; only this process should send
 * from it. If the fate of a transaction is unknown, `settle` throws instead of reporting a failure.
 */
export const createOwnFacilitator = (rpcUrl: string, key: Secret, now: () => number = Date.now): Facilitator => {
  const chain = chainAt(rpcUrl)
  const account = privateKeyToAccount(asHex(key.reveal()))
  const { address } = account
  const transport = http(rpcUrl, { timeout: TIMEOUT_MS })
  const counter = createPublicClient({ chain, transport })
  const writer = createWalletClient({ chain, transport, account })
  // No automatic retries: repeating a transaction that arrived would be refused because of its nonce.
  const sender = createWalletClient({ chain, transport: http(rpcUrl, { timeout: TIMEOUT_MS, retryCount: 0 }) })
  const submit = createSubmit(() => counter.getTransactionCount({ address, blockTag: 'pending' }), now)

  /** Prepares everything but the nonce, so that submissions wait only for one call to the node. */
  const prepare = (call: { to: Hex; data: Hex; gas?: bigint }) =>
    writer.prepareTransactionRequest({ ...call, parameters: ['chainId', 'type', 'fees', 'gas'] })

  /**
   * The x402 engine, which converts every error to a refusal. `lost` is called with errors after which a transaction may be in
   * flight, `away` with outages of the node during reads.
   */
  const engineWith = ({ lost = ignore, away = ignore }: { lost?: OnError; away?: OnError }) => {
    const reader = createPublicClient({ chain, transport: watched(rpcUrl, away), pollingInterval: 250 })
    const send = async (call: { to: Hex; data: Hex; gas?: bigint }): Promise<Hex> => {
      const request = await prepare(call)
      return submit(async (nonce) => {
        const serializedTransaction = await writer.signTransaction({ ...request, nonce, account, chain })
        return sender.sendRawTransaction({ serializedTransaction }).catch((error) => {
          if (refusalOf(error) === undefined) lost(error)
          throw error
        })
      })
    }
    const signer = toFacilitatorEvmSigner(
      {
        address,
        readContract: (args) => reader.readContract({ ...args, args: args.args ?? [] }),
        verifyTypedData: (args) => reader.verifyTypedData(args as Parameters<typeof reader.verifyTypedData>[0]),
        writeContract: ({ address: to, gas, dataSuffix = '0x', ...call }) =>
          send({ to, data: concat([encodeFunctionData(call), dataSuffix]), ...(gas === undefined ? {} : { gas }) }),
        sendTransaction: send,
        waitForTransactionReceipt: (args) =>
          reader.waitForTransactionReceipt(args).catch((error) => {
            lost(error)
            throw error
          }),
        getCode: (args) => reader.getCode(args),
      },
      { confirmationTimeoutMs: CONFIRMATION_MS },
    )
    return new x402Facilitator()
      .register(PAYMENT_CHAIN, new ExactEvmScheme(signer))
      .registerV1('base' as Parameters<x402Facilitator['registerV1']>[0], new ExactEvmSchemeV1(signer))
  }
  const argumentsOf = ({ paymentPayload, paymentRequirements }: Claim) =>
    [paymentPayload, paymentRequirements] as unknown as Parameters<x402Facilitator['verify']>
  return createLocalFacilitator(
    {
      verify: async (claim) => {
        let outage: unknown
        const verdict = await engineWith({
          away: (error) => {
            outage = error
          },
        }).verify(...argumentsOf(claim))
        // An outage of the node is not the payer's fault.
        if (!verdict.isValid && outage !== undefined) throw outage
        return verdict
      },
      settle: async (claim) => {
        // The engine reports a failure even for errors after which the money may have moved.
        let cutOff: unknown
        let outage: unknown
        const receipt = await engineWith({
          lost: (error) => {
            cutOff = error
          },
          away: (error) => {
            outage = error
          },
        }).settle(...argumentsOf(claim))
        if (!receipt.success && cutOff !== undefined) throw cutOff
        // Nothing was sent, and the payer did not cause the outage.
        if (!receipt.success && outage !== undefined) return { ...receipt, errorReason: 'unexpected_settle_error' }
        return receipt
      },
    },
    createFateLookup(rpcUrl),
  )
}
