/** Ordinary transactions in the blocks that are mined after the scenario. */
import { encodeFunctionData, type Hex } from 'viem'
import { ABI, ADDRESSES } from '../contracts/contracts.ts'
import { quantity, type Rpc, toQuantity } from '../node/rpc.ts'
import { type Actors, SHOPPERS, TRADERS } from './actors.ts'
import { createRandom } from './random.ts'

const GWEI = 10n ** 9n
/** One of this many blocks contains a transaction. */
const BLOCKS_PER_TRANSACTION = 3

/** Fees of all transactions of the demonstration, above the base fee of a quiet chain. */
export const FEES = { maxFeePerGas: toQuantity(3n * GWEI), maxPriorityFeePerGas: toQuantity(GWEI / 10n) }

/** `send` is called before each block and sends a transaction in one of three calls. */
export type LiveTraffic = { send: () => Promise<void> }

/** Small payments, swaps and wraps of wallets whose balance lasts for years. */
export const createLiveTraffic = (rpc: Rpc, actors: Actors, seed = Date.now()): LiveTraffic => {
  const random = createRandom(seed)
  return {
    send: async () => {
      if (random.below(BLOCKS_PER_TRANSACTION) > 0) return
      const from = actors[random.pick(TRADERS)]
      const value = BigInt(1 + random.below(9)) * 10n ** 14n
      const deadline = 2n ** 64n
      const swap = (token: `0x${string}`, amount: bigint): { to: string; data: Hex; value: bigint } => ({
        to: ADDRESSES.router,
        value: 10n * value,
        data: encodeFunctionData({
          abi: ABI,
          functionName: 'swapETHForExactTokens',
          args: [amount, [ADDRESSES.weth, token], from, deadline],
        }),
      })
      const transactions: { to: string; data?: Hex; value?: bigint }[] = [
        { to: actors[random.pick(SHOPPERS)], value },
        { to: actors[random.pick(TRADERS)], value },
        { to: ADDRESSES.weth, value, data: encodeFunctionData({ abi: ABI, functionName: 'deposit' }) },
        swap(ADDRESSES.usdc, BigInt(1 + random.below(3)) * 100_000n),
      ]
      const transaction = random.pick(transactions)
      const nonce = quantity.parse(await rpc.call('eth_getTransactionCount', from, 'latest'))
      await rpc.call('eth_sendTransaction', {
        from,
        to: transaction.to,
        ...(transaction.data ? { data: transaction.data } : {}),
        value: toQuantity(transaction.value ?? 0n),
        gas: toQuantity(400_000),
        nonce: toQuantity(nonce),
        ...FEES,
      })
    },
  }
}
