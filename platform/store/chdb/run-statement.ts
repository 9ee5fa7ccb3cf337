/** Runs statements on a connection of the embedded engine. */
import type { ChdbConnection } from 'chdb/connection'

/**
 * Runs a statement. Rows from before a failure would be returned with the next statement, so after a failure another
 * statement runs and its result is dropped.
 */
export const runStatement = (
  { chdb }: ChdbConnection,
  ...[sql, options]: Parameters<ChdbConnection['chdb']['queryAsync']>
): ReturnType<ChdbConnection['chdb']['queryAsync']> =>
  chdb.queryAsync(sql, options).catch(async (error: unknown) => {
    await chdb.queryAsync('SELECT 1', { format: 'Null' }).catch(() => undefined)
    throw error
  })
