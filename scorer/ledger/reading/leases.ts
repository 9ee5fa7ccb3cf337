/**
 * Leases of reads. A read that was overtaken once asks the mover of the watermark to wait, within bounds (`scorer/ingest`). A lease only
 * makes success likelier; the version of the watermark proves it.
 */
import { randomUUID } from 'node:crypto'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'

/** Reads while holding a lease. Failures to write the lease are ignored; it expires by itself (`schema/tables/ingest.ts`). */
export const withLease = async <T>(store: Store, network: Network, read: () => Promise<T>): Promise<T> => {
  const lease = { network, reader: randomUUID() }
  const put = (released: 0 | 1) =>
    store.insert('read_leases', `${JSON.stringify({ ...lease, released })}\n`).catch(() => undefined)
  await put(0)
  try {
    return await read()
  } finally {
    await put(1)
  }
}
