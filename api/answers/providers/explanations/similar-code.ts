/** Analysed tokens with equal code that were proved to be traps. */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Network } from '../../../../schema/networks.ts'
import type { RugExplanation } from '../../../../schema/records/explained/explanations.ts'

const SIMILAR = readSql(import.meta.url, './sql/find-similar-code.sql')
const MAX_EXAMPLES = 5

type SimilarCode = RugExplanation['similarCode']

/** The result if nothing was compared: unknown, not zero. */
export const notCompared = (why: string): SimilarCode => ({ analysed: null, traps: null, examples: [], why })

/** Excludes the token itself. `family` is the hash of its opcodes. */
export const findSimilarCode = async (
  store: Store,
  of: { network: Network; token: string; family: string },
  signal: AbortSignal,
): Promise<SimilarCode> => {
  const [row] = await store.query<{ analysed: number; traps: number; examples: [Network, string][] }>(
    SIMILAR,
    { ...of, most: MAX_EXAMPLES },
    { route: 'find_similar_code', signal },
  )
  return {
    analysed: Number(row?.analysed ?? 0),
    traps: Number(row?.traps ?? 0),
    examples: (row?.examples ?? []).map(([chain, contractAddress]) => ({ chain, contractAddress })),
    why: null,
  }
}
