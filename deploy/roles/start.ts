/** Starts roles by name, as a process or thread. */
import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context/context.ts'
import { startOpsServer } from '../process/ops-server.ts'
import type { RoleName, RunningRole } from './role.ts'

/** Starts a role in a process or thread that reports its state itself. */
export const startRole = async (role: RoleName, context: Context, config: Config): Promise<RunningRole> => {
  if (role === 'indexer') return (await import('./indexer.ts')).startIndexer(context, config)
  if (role === 'scorer') return (await import('./scorer.ts')).startScorer(context, config)
  return (await import('./api.ts')).startApi(context, config)
}

/** Starts a role as a process. Indexer and scorer get a server for health, readiness and metrics. */
export const startProcess = async (role: RoleName, context: Context, config: Config): Promise<RunningRole> => {
  const running = await startRole(role, context, config)
  if (role !== 'api') {
    const { readiness } = running
    const port = await startOpsServer(context, { host: config.ASSAY_HOST, port: config.ASSAY_OPS_PORT, readiness })
    context.log.info({ role, port }, 'started')
  }
  return running
}
