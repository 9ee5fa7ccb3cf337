/** Checks all configured endpoints before anything is started. */
import type { Source } from '../../indexer/source/source.ts'
import type { Config, ConfiguredNetwork } from '../../platform/config/config.ts'
import { historyBlocksOf } from '../../platform/config/history.ts'
import type { Context } from '../../platform/context/context.ts'
import { createLifecycle } from '../../platform/context/lifecycle.ts'
import { OperatorError, RetryableError } from '../../platform/errors.ts'
import { networkInfo } from '../../schema/networks.ts'
import { openSource } from '../roles/source.ts'
import { type Abilities, abilitiesOf, abilitiesThrough } from './abilities.ts'
import { type Asked, askEndpoint } from './endpoint.ts'

/** Result for one endpoint, as printed by `assay check --nodes`. */
export type NodeReport = {
  network: string
  host: string
  state: 'sound' | 'silent' | 'wrong'
  /** Properties of the node, or its problem. */
  text: string
  warnings: string[]
}

/** Deadline of checking the abilities of a node, ms. */
const ABILITIES_MS = 10_000

type Found = { asked: Asked; abilities: Abilities }

/** Runs work on the source of one endpoint, and closes it. */
const through = async <T>(
  context: Context,
  config: Config,
  { network }: ConfiguredNetwork,
  url: string,
  ask: (source: Source) => Promise<T>,
): Promise<T> => {
  const lifecycle = createLifecycle()
  const only = config.networks.map((one) => (one.network === network ? { ...one, urls: [url] } : one))
  try {
    return await ask(openSource({ ...context, lifecycle }, { ...config, networks: only }, network).source)
  } finally {
    await lifecycle.close()
  }
}

const askOne = async (context: Context, config: Config, given: ConfiguredNetwork, url: string): Promise<Found> => {
  const { network, startBlock } = given
  const asked = await askEndpoint(network, url, (signal) =>
    through(context, config, given, url, (source) => source.verify(signal)),
  )
  const wanted = {
    startBlock,
    historyBlocks: historyBlocksOf(config, network),
    authorityLogs: config.ASSAY_AUTHORITY_LOGS,
  }
  const now = Math.round(context.clock.now() / 1_000)
  if (asked.kind !== 'sound') return { asked, abilities: { lines: [], warnings: [] } }
  const abilities =
    networkInfo(network).dialect !== null
      ? await abilitiesOf(network, asked.call, wanted, now)
      : await through(context, config, given, url, (source) =>
          abilitiesThrough(network, source, wanted, now, AbortSignal.timeout(ABILITIES_MS)),
        )
  return { asked, abilities }
}

/** Checks every http(s) endpoint. WebSocket endpoints only announce blocks, which are fetched over HTTP. */
export const askNodes = async (context: Context, config: Config): Promise<NodeReport[]> => {
  const all = await Promise.all(
    config.networks.map(async (given) => {
      const urls = given.urls.filter((url) => url.startsWith('http'))
      if (urls.length === 0) {
        throw new OperatorError(
          'ASSAY_SOURCE_NO_HTTP',
          `${given.network}_RPC_URL has no http(s) URL, and blocks are fetched over HTTP. Nothing was started. Add one to the WebSocket URL.`,
        )
      }
      return Promise.all(
        urls.map(async (url): Promise<NodeReport> => {
          const { asked, abilities } = await askOne(context, config, given, url)
          const text = asked.kind === 'sound' ? abilities.lines.join(', ') || 'it responds' : asked.reason
          return { network: given.network, host: asked.host, state: asked.kind, text, warnings: abilities.warnings }
        }),
      )
    }),
  )
  return all.flat()
}

/** One line for an endpoint, and one for each warning. */
export const nodeLines = ({ network, host, text, warnings, state }: NodeReport): string[] => [
  `${network}  ${host}: ${text}${state === 'sound' ? '' : '.'}`,
  ...warnings.map((warning) => `${network}  ${host}: ${warning}.`),
]

/**
 * Refuses to start if a setting is wrong, or if no endpoint responds. If only some do not respond, they are tried again later.
 * @throws OperatorError ASSAY_START_NODE
 * @throws RetryableError ASSAY_START_NODE_SILENT
 */
export const refuseNodes = (reports: readonly NodeReport[]): void => {
  const wrong = reports.find(({ state }) => state === 'wrong')
  if (wrong) {
    throw new OperatorError(
      'ASSAY_START_NODE',
      `${wrong.network} cannot be indexed from ${wrong.host}: ${wrong.text}. Nothing was started.`,
    )
  }
  const [silent] = reports
  if (silent && reports.every(({ state }) => state === 'silent')) {
    throw new RetryableError(
      'ASSAY_START_NODE_SILENT',
      `No node responds. ${silent.network}, ${silent.host}: ${silent.text}. Nothing was started. Start the node, or correct ${silent.network}_RPC_URL.`,
    )
  }
}
