/** Checks before `assay up` starts anything: data folder, ports and nodes. */
import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context/context.ts'
import { checkFolder } from './folder.ts'
import { askNodes, nodeLines, refuseNodes } from './nodes.ts'
import { checkPort, type Place } from './port.ts'

/** Addresses on which the process will listen. */
export const placesOf = (config: Config): Place[] => {
  const { ASSAY_HOST: host, ASSAY_PORT: port, ASSAY_AGENT_PORT: agentPort, ASSAY_AGENT_HOST: agentHost } = config
  const { ASSAY_SQL_PORT: sqlPort } = config
  return [
    { host, port, setting: 'ASSAY_PORT' },
    ...(agentPort === undefined ? [] : [{ host: agentHost ?? host, port: agentPort, setting: 'ASSAY_AGENT_PORT' }]),
    ...(sqlPort === undefined ? [] : [{ host: '127.0.0.1', port: sqlPort, setting: 'ASSAY_SQL_PORT' }]),
  ]
}

/** @throws OperatorError ASSAY_START_FOLDER, ASSAY_START_PORT */
export const checkPlaces = async (config: Config): Promise<void> => {
  checkFolder(config.ASSAY_DATA)
  for (const place of placesOf(config)) await checkPort(place)
}

/**
 * @param say prints a line about each node
 * @throws OperatorError ASSAY_START_FOLDER, ASSAY_START_PORT, ASSAY_START_NODE; RetryableError ASSAY_START_NODE_SILENT
 */
export const preflight = async (context: Context, config: Config, say: (line: string) => void): Promise<void> => {
  await checkPlaces(config)
  if (config.networks.length === 0) return
  const reports = await askNodes(context, config)
  refuseNodes(reports)
  for (const line of reports.flatMap(nodeLines)) say(line)
}
