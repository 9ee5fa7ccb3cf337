/** Stored positions of the comparison in topic `records`. */
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

/** Position in one partition. */
export type Position = {
  /** Offset after the last compared message. */
  next: bigint
  /** End of a started range; `next` if none is started. */
  until: bigint
  /** Watch list changes stored before this time are applied, ms of the store's clock. */
  learned: number
  /** Networks whose records were skipped while they caught up. */
  behind: Network[]
}

const isNetwork = (text: string): text is Network => (NETWORK_CODES as readonly string[]).includes(text)

/** Reads and writes positions. The next leader repeats a started range. */
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
