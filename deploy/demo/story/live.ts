/** The few honest transactions of the blocks that are mined while someone watches. */
import { encodeFunctionData, type Hex } from 'viem'
import { CALLS, PLACES } from '../contracts/contracts.ts'
import { quantity, type Rpc, toQuantity } from '../node/rpc.ts'
import { type Actors, SHOPPERS, TRADERS } from './actors.ts'
import { createRandom } from './random.ts'

const GWEI = 10n ** 9n
/** One block in so many carries a transaction. */
const ONE_IN = 3

/** Fees of all transactions of the demonstration, above the base fee of a quiet chain. */
export const FEES = { maxFeePerGas: toQuantity(3n * GWEI), maxPriorityFeePerGas: toQuantity(GWEI / 10n) }

/** Asked before each block. One block in three gets a transaction. */
export type LiveTraffic = { send: () => Promise<void> }

/** Small payments, swaps and wraps between wallets that have enough for years of them. */
export const createLiveTraffic = (rpc: Rpc, actors: Actors, seed = Date.now()): LiveTraffic => {
  const random = createRandom(seed)
  return {
    send: async () => {
      if (random.below(ONE_IN) > 0) return
      const from = actors[random.pick(TRADERS)]
      const value = BigInt(1 + random.below(9)) * 10n ** 14n
      const deadline = 2n ** 64n
      const swap = (token: `0x${string}`, amount: bigint): { to: string; data: Hex; value: bigint } => ({
        to: PLACES.router,
        value: 10n * value,
        data: encodeFunctionData({
          abi: CALLS,
          functionName: 'swapETHForExactTokens',
          args: [amount, [PLACES.weth, token], from, deadline],
        }),
      })
      const deeds: { to: string; data?: Hex; value?: bigint }[] = [
        { to: actors[random.pick(SHOPPERS)], value },
        { to: actors[random.pick(TRADERS)], value },
        { to: PLACES.weth, value, data: encodeFunctionData({ abi: CALLS, functionName: 'deposit' }) },
        swap(PLACES.usdc, BigInt(1 + random.below(3)) * 100_000n),
      ]
      const deed = random.pick(deeds)
      const nonce = quantity.parse(await rpc.call('eth_getTransactionCount', from, 'latest'))
      await rpc.call('eth_sendTransaction', {
        from,
        to: deed.to,
        ...(deed.data ? { data: deed.data } : {}),
        value: toQuantity(deed.value ?? 0n),
        gas: toQuantity(400_000),
        nonce: toQuantity(nonce),
        ...FEES,
      })
    },
  }
}
