/** Compares every table that final rows feed with a recount of its base tables, while scorers run. */
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { RECOUNTS } from '../../../schema/tables/chain/recount.ts'
import { bucketsOf, compareShare, type Difference } from './aggregates.ts'

const DATABASE = 'SELECT currentDatabase() AS home'

/** A scorer inserts base rows and aggregates one after the other, so only differences that repeat this often are real. */
const TIMES = 3
const EXAMPLES = 5

/** @returns tables that differ. After the signal it ends early with what was found. */
export const compareAggregates = async (
  store: Store,
  network: Network,
  { signal, progress }: { signal: AbortSignal; progress: (done: number, all: number) => void },
): Promise<Difference[]> => {
  const [{ home } = { home: 'default' }] = await store.query<{ home: string }>(DATABASE, undefined, { route: 'home' })
  const buckets = await bucketsOf(store, network, home)
  const found: Difference[] = []
  let done = 0
  for (const table of RECOUNTS) {
    const sum: Difference = { table: table.table, differing: 0, examples: [] }
    for (let bucket = 0; bucket < buckets && !signal.aborted; bucket += 1) {
      const at = { network, base: home, states: home, buckets, bucket }
      let share = await compareShare(store, table, at)
      for (let times = 1; times < TIMES && share.differing > 0; times += 1) share = await compareShare(store, table, at)
      sum.differing += share.differing
      sum.examples = [...sum.examples, ...share.examples].slice(0, EXAMPLES)
      done += 1
      progress(done, RECOUNTS.length * buckets)
    }
    if (sum.differing > 0) found.push(sum)
  }
  return found
}
