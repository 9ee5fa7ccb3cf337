/**
 * Transactions a wallet signed, by halving: where its number differs between two blocks, it signed something between them. Any
 * archive node can do it. It takes about 25 questions for each of a few transactions, and 15 for each of many.
 */
import { z } from 'zod'
import { RpcInconsistent } from '../../../../platform/rpc/errors.ts'
import type { RpcPool } from '../../../../platform/rpc/pool.ts'
import { read } from '../../../source/answers.ts'
import { quantity } from '../../../source/evm/fetch.ts'
import { type Candidates, stoppedAt, type WalletHistory } from '../history.ts'
import { atOffering } from '../rpc.ts'

const METHOD = 'eth_getTransactionCount'
/** Questions of one POST. */
const AT_ONCE = 100
/** More transactions than this are left to sources with an index. */
const MOST = 200

const nonce = z.string().startsWith('0x').transform(Number)

/** Blocks `low + 1..high` hold transactions with the numbers `from..to - 1`. */
type Span = { low: number; high: number; from: number; to: number }

/** The last resort: gives up at 200 transactions. */
export const createNonceHistory = ({ pool }: { pool: RpcPool }): WalletHistory => {
  const at = atOffering(pool, METHOD)

  const noncesAt = async (wallet: string, blocks: readonly number[], signal: AbortSignal): Promise<number[]> => {
    const all: number[] = []
    for (let from = 0; from < blocks.length; from += AT_ONCE) {
      const some = blocks.slice(from, from + AT_ONCE)
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
    find: async ({ wallet, to, most, signal }): Promise<Candidates> => {
      const [first = 0, last = 0] = await noncesAt(wallet, [0, to], signal)
      if (last - first > Math.min(most, MOST)) return { blocks: new Set(), why: stoppedAt(Math.min(most, MOST)) }
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
