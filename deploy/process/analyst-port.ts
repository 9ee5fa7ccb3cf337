/** Port for ClickHouse clients to query the embedded store of `npm start`. */
import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context/context.ts'
import type { Analyst } from '../../platform/store/analyst/analyst.ts'
import { openSharedStore } from '../roles/shared-store.ts'

/**
 * Listens on 127.0.0.1 if `ASSAY_SQL_PORT` is set, until the lifecycle closes. The first statement opens the store connection.
 * @returns the port in use; undefined if not set
 * @throws Error of the system if another process took the port after it was checked
 */
export const serveAnalysts = async (context: Context, config: Config): Promise<number | undefined> => {
  const { ASSAY_SQL_PORT: port, ASSAY_SQL_PASSWORD: password } = config
  if (port === undefined || password === undefined || config.CLICKHOUSE_URL) return undefined
  const { listenForAnalysts, MAX_BYTES } = await import('../../platform/store/analyst/http/listen.ts')
  let opened: Promise<Analyst> | undefined
  const open = async () => {
    const { openAnalyst } = await import('../../platform/store/analyst/analyst.ts')
    await openSharedStore(context, config)
    return openAnalyst(join(config.ASSAY_DATA, 'store'), { bytes: MAX_BYTES })
  }
  const analyst = () => {
    opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }
  const listener = await listenForAnalysts({ analyst, port, password, log: context.log })
  context.lifecycle.onClose('analyst port', async () => {
    await listener.close()
    await (await opened?.catch(() => undefined))?.close()
  })
  return listener.port
}
