/** `alchemy_getAssetTransfers`: movements of a wallet in pages, one direction per call, without failed and empty transactions. */
import { z } from 'zod'
import type { Clock } from '../../../../platform/context/clock.ts'
import { RpcInconsistent } from '../../../../platform/rpc/errors.ts'
import type { RpcPool } from '../../../../platform/rpc/pool.ts'
import { read } from '../../../source/answers.ts'
import { quantity } from '../../../source/evm/fetch.ts'
import { type Candidates, stoppedAt, type WalletHistory } from '../history.ts'
import { atOffering, createProbe, refusalIn } from '../rpc.ts'

const METHOD = 'alchemy_getAssetTransfers'
const PAGE = '0x3e8'
const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
const CATEGORIES = ['external', 'internal', 'erc20', 'erc721', 'erc1155']
/** Only some chains have this category. */
const OPTIONAL_CATEGORY = 'internal'

const page = z.looseObject({
  transfers: z.array(z.looseObject({ blockNum: z.string().startsWith('0x').transform(Number) })),
  pageKey: z.string().min(1).optional(),
})

/** Only complete for native coins. On chains without the category of internal calls these are missing, which the balance shows. */
export const createAlchemyHistory = ({ clock, pool }: { clock: Clock; pool: RpcPool }): WalletHistory => {
  const at = atOffering(pool, METHOD)
  let categories = CATEGORIES

  const ask = (asked: Record<string, unknown>, to: number, signal: AbortSignal) =>
    at(async (node) => {
      const params = [{ fromBlock: '0x0', toBlock: quantity(to), category: categories, maxCount: PAGE, ...asked }]
      const [outcome] = await node.batch([{ method: METHOD, params }])
      const { transfers, pageKey } = read(outcome, page, METHOD)
      const blocks = transfers.map(({ blockNum }) => blockNum)
      if (blocks.some((block) => !(block <= to))) throw new RpcInconsistent('history', `not up to block ${to}`)
      return { blocks, pageKey }
    }, signal)

  const askAvailable = async (asked: Record<string, unknown>, to: number, signal: AbortSignal) => {
    try {
      return await ask(asked, to, signal)
    } catch (error) {
      if (!categories.includes(OPTIONAL_CATEGORY) || !/categor|internal/i.test(refusalIn(error)?.message ?? ''))
        throw error
      categories = categories.filter((one) => one !== OPTIONAL_CATEGORY)
      return ask(asked, to, signal)
    }
  }

  return {
    name: 'alchemy',
    shows: ['native'],
    offered: createProbe(clock, at, METHOD, [
      { fromBlock: '0x0', toBlock: '0x0', category: ['external'], toAddress: ZERO_ADDRESS, maxCount: '0x1' },
    ]),
    find: async ({ wallet, to, maxBlocks, signal }): Promise<Candidates> => {
      const found = new Set<number>()
      for (const side of ['fromAddress', 'toAddress']) {
        let pageKey: string | undefined
        const seen = new Set<string>()
        do {
          const answer = await askAvailable({ [side]: wallet, ...(pageKey && { pageKey }) }, to, signal)
          for (const block of answer.blocks) found.add(block)
          if (found.size > maxBlocks) return { blocks: found, why: stoppedAt(maxBlocks) }
          pageKey = answer.pageKey
          if (pageKey !== undefined && seen.has(pageKey)) return { blocks: found, why: 'alchemy repeats its pages' }
          if (pageKey !== undefined) seen.add(pageKey)
        } while (pageKey !== undefined)
      }
      return { blocks: found, why: undefined }
    },
  }
}
