import { networkRows } from '../../schema/tables/networks.ts'
import type { Clock } from '../clock.ts'
import type { Store } from './store.ts'

type Stored = Record<string, unknown> & { network: string }

/** Brings table `networks` to what `schema/networks` states. Rows that are right already are left alone. */
export const writeNetworks = async (store: Store, clock: Clock): Promise<void> => {
  const stored = new Map(
    (await store.query<Stored>('SELECT * EXCEPT (version) FROM networks FINAL', undefined, { route: 'networks' })).map(
      (row) => [row.network, row],
    ),
  )
  const outdated = networkRows().filter((row) =>
    Object.entries(row).some(([column, value]) => stored.get(row.network)?.[column] !== value),
  )
  await store.insert(
    'networks',
    outdated.map((row) => `${JSON.stringify({ ...row, version: clock.now() })}\n`).join(''),
  )
}
