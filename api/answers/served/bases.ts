/** Reads served counts from table `serve_counts`: the base from which a process continues counting. */
import { z } from 'zod'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { byNetwork } from '../providers/by-network.ts'
import type { Subject } from '../providers/provider.ts'

const COUNTS = readSql(import.meta.url, './sql/serve-counts.sql')

/** Wallet counts combine fraud check and audit; contract counts are separate. */
export type CountKind = 'wallet' | 'contract'

/** How often each subject was served so far, in the order of the subjects. */
export type ServeCounts = {
  load: (kind: CountKind, subjects: readonly Subject[], signal: AbortSignal) => Promise<number[]>
}

const countRow = z.object({ address: z.string(), served: z.coerce.number() })

/** Sums over all replicas, possibly without the last few seconds. */
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
