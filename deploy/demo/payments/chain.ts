/**
 * A local chain for the whole payment flow: anvil with the chain ID of Base, and stand-ins for USDC and Multicall3 at their
 * real addresses, so that standard x402 clients work unchanged.
 */
import {
  type Address,
  createTestClient,
  encodeFunctionData,
  type Hex,
  http,
  parseAbi,
  publicActions,
  walletActions,
} from 'viem'
import { base } from 'viem/chains'
import { PAYMENT_ASSET, PAYMENT_CHAIN_ID } from '../../../api/x402/protocol/offer.ts'
import { OperatorError } from '../../../platform/errors.ts'
import { type Anvil, startAnvil, stopOnError } from '../node/anvil.ts'
import contracts from './contracts.json' with { type: 'json' }

const MULTICALL: Address = '0xcA11bde05977b3631167028862bE2a173976CA11'
const ABI = parseAbi(['function mint(address to, uint256 value)', 'function balanceOf(address) view returns (uint256)'])

/** A running payment chain. */
export type PaymentChain = {
  rpcUrl: string
  /** Balance in base units of the dollar token (6 decimals). */
  balanceOf: (account: Address) => Promise<bigint>
  /** Gives an account dollars, in base units. */
  mint: (account: Address, value: bigint) => Promise<void>
  /** Gives an account coins for gas, in wei. */
  fund: (account: Address, wei: bigint) => Promise<void>
  pid: number
  stop: () => Promise<void>
}

/**
 * Starts a payment chain. `blockTime` is in seconds; without it every transaction is mined immediately. A block is final when
 * `finalAfter` blocks follow it (an even number; 0 by default). Aborting the signal ends the start.
 * @throws what `startAnvil` throws
 */
export const startPaymentChain = async ({
  blockTime,
  finalAfter = 0,
  signal,
}: {
  blockTime?: number
  finalAfter?: number
  signal?: AbortSignal | undefined
} = {}): Promise<PaymentChain> => {
  const interval = blockTime === undefined ? [] : ['--block-time', String(blockTime)]
  // In anvil, a block is final after two epochs.
  const finality = ['--slots-in-an-epoch', String(finalAfter / 2)]
  const anvil = await startAnvil({
    arguments: ['--chain-id', String(PAYMENT_CHAIN_ID), ...finality, ...interval],
    signal,
  })
  const end = () => void anvil.stop()
  signal?.addEventListener('abort', end, { once: true })
  try {
    return await stopOnError(anvil, () => installStandIns(anvil))
  } finally {
    signal?.removeEventListener('abort', end)
  }
}

/** Installs the stand-ins. */
const installStandIns = async (anvil: Anvil): Promise<PaymentChain> => {
  const client = createTestClient({
    mode: 'anvil',
    chain: base,
    transport: http(anvil.url),
  })
    .extend(publicActions)
    .extend(walletActions)
  await client.setCode({ address: PAYMENT_ASSET, bytecode: contracts.UsdStandIn as Hex })
  await client.setCode({ address: MULTICALL, bytecode: contracts.MulticallStandIn as Hex })
  const [minter] = await client.getAddresses()
  if (!minter)
    throw new OperatorError(
      'ASSAY_DEMO_ANVIL_MISSING',
      'The local payment chain has no accounts, so it was not used. Check the anvil package.',
    )
  return {
    rpcUrl: anvil.url,
    pid: anvil.pid,
    balanceOf: (account) =>
      client.readContract({ address: PAYMENT_ASSET, abi: ABI, functionName: 'balanceOf', args: [account] }),
    mint: async (account, value) => {
      const data = encodeFunctionData({ abi: ABI, functionName: 'mint', args: [account, value] })
      const hash = await client.sendTransaction({ account: minter, to: PAYMENT_ASSET, data })
      await client.waitForTransactionReceipt({ hash, pollingInterval: 50 })
    },
    fund: (account, wei) => client.setBalance({ address: account, value: wei }),
    stop: anvil.stop,
  }
}
