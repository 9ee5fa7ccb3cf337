/** Tokens of equal code that were proved to be traps, as far as this installation analysed them. */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Network } from '../../../../schema/networks.ts'
import type { RugExplanation } from '../../../../schema/records/explained/explanations.ts'

const SIMILAR = readSql(import.meta.url, './sql/find-similar-code.sql')
const MOST_EXAMPLES = 5

type SimilarCode = RugExplanation['similarCode']

/** The answer where nothing was compared: nothing is known, which is not none. */
export const notCompared = (why: string): SimilarCode => ({ analysed: null, traps: null, examples: [], why })

/** `family`: hash of the opcodes alone. The token itself is left out. */
export const findSimilarCode = async (
  store: Store,
  of: { network: Network; token: string; family: string },
  signal: AbortSignal,
): Promise<SimilarCode> => {
  const [row] = await store.query<{ analysed: number; traps: number; examples: [Network, string][] }>(
    SIMILAR,
    { ...of, most: MOST_EXAMPLES },
    { route: 'find_similar_code', signal },
  )
  return {
    analysed: Number(row?.analysed ?? 0),
    traps: Number(row?.traps ?? 0),
    examples: (row?.examples ?? []).map(([chain, contractAddress]) => ({ chain, contractAddress })),
    why: null,
  }
}
