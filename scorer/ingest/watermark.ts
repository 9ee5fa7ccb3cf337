/**
 * Changes the state of a network's watermark (`schema/watermark.ts`). Entering a state is a compare-and-set by deduplication token, as in
 * the chunk ledger.
 */
import { RetryableError } from '../../platform/errors.ts'
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Network } from '../../schema/networks.ts'
import type { WatermarkState } from '../../schema/watermark.ts'

const CURRENT = readSql(import.meta.url, './sql/watermark.sql')
const LEASED = readSql(import.meta.url, './sql/leased.sql')

/** Newest row of a network in table `watermarks`. `target`: the block that a running move or undo leads to. */
export type Watermark = {
  version: bigint
  epoch: number
  /** Identity of the head topic, if it was known when the state was entered. */
  log: string
  state: WatermarkState
  settled: number
  target: number
}
type Row = Omit<Watermark, 'version'> & { version: string }

/** The watermark of one network. It has one writer at a time; a writer that loses a race throws and starts again. */
export type Watermarks = {
  current: () => Promise<Watermark | undefined>
  /** @throws RetryableError ASSAY_INGEST_OVERTAKEN if another consumer of the network was faster */
  enter: (before: Watermark | undefined, next: Omit<Watermark, 'version' | 'epoch' | 'log'>) => Promise<Watermark>
  /** Whether a long read asks moves to wait (`scorer/ledger/reading/leases.ts`). */
  leased: () => Promise<boolean>
}

/** @param log identity of the head topic, if known */
export const createWatermarks = (
  store: Store,
  network: Network,
  epoch: number,
  log: () => string | undefined,
): Watermarks => {
  const current = async (): Promise<Watermark | undefined> => {
    const [row] = await store.query<Row>(CURRENT, { network }, { route: 'watermark' })
    return row && { ...row, version: BigInt(row.version) }
  }
  return {
    current,
    enter: async (before, next) => {
      const version = (before?.version ?? 0n) + 1n
      const row = { network, epoch, log: log() ?? '', version: version.toString(), ...next }
      await store.insert('watermarks', `${JSON.stringify(row)}\n`, { token: `watermark:${network}:${version}` })
      const now = await current()
      if (now?.version !== version || now.state !== next.state || now.target !== next.target) {
        throw new RetryableError(
          'ASSAY_INGEST_OVERTAKEN',
          `Another consumer of ${network} moved the watermark at the same time. Nothing was changed, and the chunk is retried. If this persists, two scorers use different consumer groups.`,
        )
      }
      return now
    },
    leased: async () => {
      const [row] = await store.query<{ leases: string }>(LEASED, { network }, { route: 'leased' })
      return Number(row?.leases ?? 0) > 0
    },
  }
}
