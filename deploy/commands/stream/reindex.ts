/** `assay reindex`: rebuilds aggregates or all tables of a network beside those in use, then replaces them. */
import type { Config } from '../../../platform/config/config.ts'
import { migrate } from '../../../platform/store/migrate/migrate.ts'
import type { Network } from '../../../schema/networks.ts'
import { rebuildFromBus } from '../../../scorer/ingest/rebuild/from-bus/from-bus.ts'
import { rebuild } from '../../../scorer/ingest/rebuild/rebuild.ts'
import { duration } from '../../command-line/text.ts'
import { openToolDatabase, openToolStore } from '../../process/store-socket.ts'
import { openSharedBus } from '../../roles/parts.ts'
import { runTool, type Tool } from '../tool.ts'

/** Options of `assay reindex`. */
export type ReindexRequest = {
  network: Network
  /** Whether to rebuild all tables from the bus, instead of aggregates from base tables. */
  base: boolean
  /** With `base`: whether to stop before replacing the tables in use. */
  prepare: boolean
  json?: boolean
}

/** Prints progress with the time left. Counts need not start at zero, as after an interruption. */
const progressOf = ({ context, progress }: Tool, spell: (done: number, all: number) => string) => {
  const startedAt = context.clock.now()
  let began: number | undefined
  return (done: number, all: number) => {
    began ??= done - 1
    const left = ((context.clock.now() - startedAt) * (all - done)) / Math.max(1, done - began)
    progress(() => `${spell(done, all)}, ${duration(left)} left`)
  }
}

const aggregates = async (tool: Tool, network: Network): Promise<void> => {
  const { context, config, signal, say, report } = tool
  const store = await openToolStore(context, config)
  const startedAt = context.clock.now()
  const progress = progressOf(tool, (done, all) => `${done} of ${all} parts of ${network} aggregated`)
  const outcome = await rebuild({ store, clock: context.clock, signal, progress }, network)
  report({ network, outcome, seconds: (context.clock.now() - startedAt) / 1_000 })
  if (outcome === 'interrupted') {
    return say(`Interrupted; the tables are unchanged. Continue with: assay reindex --network ${network}`)
  }
  say(`The aggregates of ${network} were rebuilt in ${duration(context.clock.now() - startedAt)}.`)
  say(`Score its wallets again with: assay replay --network ${network}`)
}

const everything = async (tool: Tool, network: Network, prepare: boolean): Promise<void> => {
  const { context, config, signal, say, report } = tool
  const store = await openToolStore(context, config)
  const bus = await openSharedBus(context, config, [network])
  const startedAt = context.clock.now()
  const progress = progressOf(tool, (done, all) => `${done} of ${all} messages of ${network} stored in the new tables`)
  const openDraft = async (database: string) => {
    const draft = await openToolDatabase(context, config, database)
    await migrate({ store: draft, log: context.log, clock: context.clock })
    return draft
  }
  const outcome = await rebuildFromBus({ store, context, bus, signal, progress, openDraft }, network, prepare)
  const again = `assay reindex --network ${network} --base`
  const compared = 'compared' in outcome ? outcome.compared : []
  report({ network, outcome: outcome.kind, seconds: (context.clock.now() - startedAt) / 1_000, compared })
  const took = duration(context.clock.now() - startedAt)
  if (outcome.kind === 'interrupted') {
    return say(`Interrupted; the tables are unchanged. Continue with: ${again}${prepare ? ' --prepare' : ''}`)
  }
  for (const { table, before, after } of compared) say(`${table}: ${after} rows, ${before} before`)
  if (outcome.kind === 'prepared') {
    say(`The new tables of ${network} were filled in ${took}, and contain every final block of those in use.`)
    return say(`Activate them with: ${again}. Remove them with: assay reindex --network ${network}`)
  }
  say(
    outcome.kind === 'completed'
      ? `The interrupted replacement of the tables of ${network} is complete.`
      : `The tables of ${network} were rebuilt from the bus in ${took}.`,
  )
  say(`Score its wallets again with: assay replay --network ${network}`)
}

/**
 * Rebuilds aggregates from base tables, or all tables from the bus. Readers see the old tables until the new ones are
 * complete.
 */
export const reindexCommand = (config: Config, { network, base, prepare, json }: ReindexRequest): Promise<void> =>
  runTool(config, 'reindex', (tool) => (base ? everything(tool, network, prepare) : aggregates(tool, network)), {
    json,
  })
