/** What the API reads from the store: fraud records and served counts, many addresses at a time. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Store } from '../../platform/store/store.ts'
import type { Network } from '../../schema/networks.ts'
import { keyOf, type Provider, type ServeCounts, type Subject } from './provider.ts'

const sql = (name: string) => readFileSync(new URL(`sql/${name}.sql`, import.meta.url), 'utf8')
const FIND = sql('find-wallet-records')
const COUNTS = sql('serve-counts')

const recordRow = z.object({ address: z.string(), version: z.coerce.number(), body: z.string() })
const countRow = z.object({ address: z.string(), served: z.coerce.number() })

/** One query per network, since the tables are sorted by it; batches rarely hold more than one. */
const byNetwork = async <Row extends { address: string }>(
  subjects: readonly Subject[],
  read: (network: Network, addresses: string[]) => Promise<Row[]>,
): Promise<(Row | undefined)[]> => {
  const addresses = new Map<Network, string[]>()
  for (const { network, address } of subjects) {
    const known = addresses.get(network)
    if (known) known.push(address)
    else addresses.set(network, [address])
  }
  const found = new Map<string, Row>()
  const readOne = async ([network, wanted]: [Network, string[]]) => {
    for (const row of await read(network, wanted)) found.set(keyOf({ network, address: row.address }), row)
  }
  await Promise.all([...addresses].map(readOne))
  return subjects.map((subject) => found.get(keyOf(subject)))
}

/** Newest stored fraud records. */
export const createFraudLookup =
  (store: Store): Provider['lookup'] =>
  (subjects, signal) =>
    byNetwork(subjects, async (network, addresses) => {
      const rows = await store.query(FIND, { network, addresses }, { route: 'find_wallet_records', signal })
      // The last row of an address is kept (byNetwork), so the newest has to come last.
      return z
        .array(recordRow)
        .parse(rows)
        .sort((a, b) => a.version - b.version)
    })

/** Served counts from table `serve_counts`. */
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
