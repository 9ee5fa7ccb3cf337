/** How far topic `records` was compared, kept in the tables. */
import { z } from 'zod'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { NETWORK_CODES, type Network } from '../../../schema/networks.ts'

const POSITION = readSql(import.meta.url, './sql/position.sql')
const CLOCK = readSql(import.meta.url, './sql/clock.sql')

const offset = z.string().transform(BigInt)
const positionRow = z.object({
  partition: z.number(),
  next: offset,
  until: offset,
  learned: z.coerce.number(),
  behind: z.array(z.string()),
})

/** How far one partition of topic `records` was compared. */
export type Position = {
  /** Offset that follows what was compared. */
  next: bigint
  /** End of the range that was begun; `next` when none is. */
  until: bigint
  /** Changes of the watch list that were stored before this time are known, ms by the store's clock. */
  learned: number
  /** Networks whose records were passed over. */
  behind: Network[]
}

const isNetwork = (text: string): text is Network => (NETWORK_CODES as readonly string[]).includes(text)

/** Reads and writes positions. A range that was begun is repeated by the next leader. */
export const createPositions = (store: Store) => ({
  read: async (): Promise<ReadonlyMap<number, Position>> => {
    const rows = z.array(positionRow).parse(await store.query(POSITION, {}, { route: 'monitor_positions' }))
    return new Map(
      rows.map(({ partition, behind, ...rest }) => [partition, { ...rest, behind: behind.filter(isNetwork) }]),
    )
  },
  write: ({ partition, next, until, learned, behind }: Position & { partition: number }): Promise<void> => {
    const row = { partition, next: String(next), until: String(until), learned: (learned / 1_000).toFixed(3), behind }
    return store.insert('monitor_positions', `${JSON.stringify(row)}\n`)
  },
  /** The store's clock, ms. */
  now: async (): Promise<number> => {
    const rows = await store.query<{ now: string }>(CLOCK, {}, { route: 'monitor_clock' })
    return Number(rows[0]?.now ?? 0)
  },
})
/** Positions by partition. */
export type Positions = ReturnType<typeof createPositions>
