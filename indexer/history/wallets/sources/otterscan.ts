/**
 * `ots_searchTransactionsBefore` of Erigon and anvil: every transaction that touches an account, including by internal calls,
 * newest first (docs.otterscan.io/api-docs/ots-api).
 */
import { z } from 'zod'
import type { Clock } from '../../../../platform/context/clock.ts'
import { RpcInconsistent } from '../../../../platform/rpc/errors.ts'
import type { RpcPool } from '../../../../platform/rpc/pool.ts'
import { read } from '../../../source/answers.ts'
import { type Candidates, stoppedAt, type WalletHistory } from '../history.ts'
import { atOffering, createProbe } from '../rpc.ts'

const METHOD = 'ots_searchTransactionsBefore'
/** Default maximum of nodes (`--ots.search.max.pagesize`). */
const PAGE = 25
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`

const page = z.looseObject({
  txs: z.array(z.looseObject({ blockNumber: z.string().startsWith('0x').transform(Number) })),
  lastPage: z.boolean(),
})

/** The best source: one index of everything that a wallet was part of. */
export const createOtterscanHistory = ({ clock, pool }: { clock: Clock; pool: RpcPool }): WalletHistory => {
  const at = atOffering(pool, METHOD)

  const pageBefore = (wallet: string, before: number, signal: AbortSignal) =>
    at(async (node) => {
      const params = [wallet, before, PAGE]
      const [outcome] = await node.batch([{ method: METHOD, params }])
      const { txs, lastPage } = read(outcome, page, METHOD)
      const blocks = txs.map(({ blockNumber }) => blockNumber)
      if (blocks.some((block) => !(block < before))) throw new RpcInconsistent('history', `not before block ${before}`)
      if (blocks.length === 0 && !lastPage) throw new RpcInconsistent('history', 'an empty page that is not the last')
      return { blocks, lastPage }
    }, signal)

  return {
    name: 'otterscan',
    shows: ['sent', 'native'],
    offered: createProbe(clock, at, METHOD, [ZERO_ADDRESS, 1, 1]),
    find: async ({ wallet, to, maxBlocks, signal }): Promise<Candidates> => {
      const found = new Set<number>()
      // Block 0 as a bound means the head; block 0 itself has no transactions.
      for (let before = to + 1; before > 0; ) {
        const { blocks, lastPage } = await pageBefore(wallet, before, signal)
        for (const block of blocks) found.add(block)
        if (lastPage) break
        if (found.size > maxBlocks) return { blocks: found, why: stoppedAt(maxBlocks) }
        before = Math.min(...blocks)
      }
      return { blocks: found, why: undefined }
    },
  }
}
