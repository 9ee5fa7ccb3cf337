/**
 * Finds signed transactions by binary search: if the nonce differs between two blocks, the wallet signed a transaction between
 * them. Works on any archive node. Takes about 25 requests per transaction for few, and 15 for many.
 */
import { z } from 'zod'
import { RpcInconsistent } from '../../../../platform/rpc/errors.ts'
import type { RpcPool } from '../../../../platform/rpc/pool.ts'
import { read } from '../../../source/answers.ts'
import { quantity } from '../../../source/evm/fetch.ts'
import { type Candidates, stoppedAt, type WalletHistory } from '../history.ts'
import { atOffering } from '../rpc.ts'

const METHOD = 'eth_getTransactionCount'
/** Calls per POST. */
const BATCH_SIZE = 100
/** Wallets with more transactions are left to sources with an index. */
const MAX_TRANSACTIONS = 200

const nonce = z.string().startsWith('0x').transform(Number)

/** Blocks `low + 1..high` have the transactions with nonces `from..to - 1`. */
type Span = { low: number; high: number; from: number; to: number }

/** The last resort: gives up at 200 transactions. */
export const createNonceHistory = ({ pool }: { pool: RpcPool }): WalletHistory => {
  const at = atOffering(pool, METHOD)

  const noncesAt = async (wallet: string, blocks: readonly number[], signal: AbortSignal): Promise<number[]> => {
    const all: number[] = []
    for (let from = 0; from < blocks.length; from += BATCH_SIZE) {
      const some = blocks.slice(from, from + BATCH_SIZE)
      const calls = some.map((block) => ({ method: METHOD, params: [wallet, quantity(block)] }))
      const answers = await at(async (node) => {
        const outcomes = await node.batch(calls)
        return some.map((block, index) => read(outcomes[index], nonce, `nonce at block ${block}`))
      }, signal)
      all.push(...answers)
    }
    return all
  }

  return {
    name: 'nonces',
    shows: ['sent'],
    offered: async () => true,
    find: async ({ wallet, to, maxBlocks, signal }): Promise<Candidates> => {
      const [first = 0, last = 0] = await noncesAt(wallet, [0, to], signal)
      if (last - first > Math.min(maxBlocks, MAX_TRANSACTIONS))
        return { blocks: new Set(), why: stoppedAt(Math.min(maxBlocks, MAX_TRANSACTIONS)) }
      const found = new Set<number>()
      let spans: Span[] = last > first ? [{ low: 0, high: to, from: first, to: last }] : []
      while (spans.length > 0) {
        for (const { low, high } of spans) if (high - low === 1) found.add(high)
        const wide = spans.filter(({ low, high }) => high - low > 1)
        const middles = wide.map(({ low, high }) => Math.floor((low + high) / 2))
        const nonces = await noncesAt(wallet, middles, signal)
        spans = wide.flatMap((span, index): Span[] => {
          const middle = middles[index] ?? span.low
          const between = nonces[index] ?? span.from
          if (between < span.from || between > span.to) {
            throw new RpcInconsistent('history', `the nonce at block ${middle} is not between those around it`)
          }
          return [
            { ...span, high: middle, to: between },
            { ...span, low: middle, from: between },
          ].filter((half) => half.to > half.from)
        })
      }
      return { blocks: found, why: undefined }
    },
  }
}
