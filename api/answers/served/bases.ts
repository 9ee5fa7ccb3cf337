/** Served counts as table `serve_counts` holds them: what a process goes on counting from. */
import { z } from 'zod'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { byNetwork } from '../providers/by-network.ts'
import type { Subject } from '../providers/provider.ts'

const COUNTS = readSql(import.meta.url, './sql/serve-counts.sql')

/** Addresses are counted as wallets (fraud check and audit together) and as contracts apart. */
export type CountKind = 'wallet' | 'contract'

/** How often subjects were served so far, in the order asked; 0 where that never happened. */
export type ServeCounts = {
  load: (kind: CountKind, subjects: readonly Subject[], signal: AbortSignal) => Promise<number[]>
}

const countRow = z.object({ address: z.string(), served: z.coerce.number() })

/** Reads sums of all replicas. The last few seconds may be missing. */
export const createServeCounts = (store: Store): ServeCounts => ({
  load: async (kind, subjects, signal) => {
    const rows = await byNetwork(subjects, async (network, addresses) =>
      z
        .array(countRow)
        .parse(await store.query(COUNTS, { kind, network, addresses }, { route: 'serve_counts', signal })),
    )
    return rows.map((row) => row?.served ?? 0)
  },
})
