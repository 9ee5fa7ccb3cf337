/**
 * Rows from before the first covered block, and how far each authority's log and each wallet's past have been read. All are
 * idempotent: a row replaces itself, and a newer state replaces an older one. So earlier inserts do not matter, and the topic may
 * be created again.
 */
import type { Clock } from '../../../platform/context/clock.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { chunkName, type LatestChunk } from '../chunks/chunks.ts'
import type { Applied } from '../chunks/consumer.ts'
import type { NewStep } from '../chunks/messages.ts'
import type { OnStep } from '../steps.ts'

const VERSION = readSql(import.meta.url, '../sql/authority-logs-version.sql')

/** Writes the past tier. It contains single rows rather than whole blocks, so blocks are never covered. */
export type PastTier = {
  apply: (chunk: LatestChunk, steps: readonly NewStep[]) => Promise<Applied>
}

/** `clock` provides versions of states, which increase even if the clock goes back. */
export const createPastTier = (store: Store, clock: Clock, onStep: OnStep): PastTier => {
  /** The next version, higher than the stored one even if clocks differ. */
  const nextVersion = async (network: Network): Promise<string> => {
    const [row] = await store.query<{ version: string }>(VERSION, { network }, { route: 'authority_logs_version' })
    const after = BigInt(row?.version ?? 0) + 1n
    const now = BigInt(clock.now())
    return (now > after ? now : after).toString()
  }

  return {
    apply: async (chunk, steps) => {
      const name = `${chunkName(chunk)}:${chunk.log}`
      const sections = new Map<string, Buffer[]>()
      let rows = 0
      for (const section of steps.flatMap(({ decoded }) => decoded.sections)) {
        const table = `${section.table}_past`
        sections.set(table, [...(sections.get(table) ?? []), section.rows])
        rows += section.count
      }
      for (const [table, lines] of sections) {
        await store.insert(table, Buffer.concat(lines), { token: `${table}:${name}` })
        await onStep(`inserted ${table}`)
      }
      const touched = new Set(steps.flatMap(({ decoded }) => decoded.touched))
      // States come after the rows they claim as read. The last of several states is the most complete.
      const lastState = steps.findLast(({ decoded }) => decoded.logs.length > 0)
      if (lastState) {
        const version = await nextVersion(lastState.decoded.headers.network)
        const lines = lastState.decoded.logs.map((log) => `${JSON.stringify({ ...log, version })}\n`)
        await store.insert('authority_logs', lines.join(''), { token: `authority_logs:${name}` })
        await onStep('inserted authority_logs')
      }
      const pasts = steps.flatMap(({ decoded }) => decoded.pasts)
      if (pasts.length > 0) {
        const lines = pasts.map((past) => `${JSON.stringify(past)}\n`)
        await store.insert('wallet_pasts', lines.join(''), { token: `wallet_pasts:${name}` })
        await onStep('inserted wallet_pasts')
      }
      return { rows, touched: [...touched], finalized: 0 }
    },
  }
}
