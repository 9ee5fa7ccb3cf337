/** Statements on a connection of the embedded engine. */
import type { ChdbConnection } from 'chdb/connection'

/**
 * Asks a connection. The rows that a statement had given before it failed would come before those of the next one, so that something is
 * asked after a failure, and its answer thrown away.
 */
export const asked = (
  { chdb }: ChdbConnection,
  ...[sql, options]: Parameters<ChdbConnection['chdb']['queryAsync']>
): ReturnType<ChdbConnection['chdb']['queryAsync']> =>
  chdb.queryAsync(sql, options).catch(async (error: unknown) => {
    await chdb.queryAsync('SELECT 1', { format: 'Null' }).catch(() => undefined)
    throw error
  })
