/** `assay verify`: compares stored blocks with the chain and aggregates with base tables, and repairs differences. */
import { fetchRange } from '../../../indexer/follow/range.ts'
import type { Source } from '../../../indexer/source/source.ts'
import type { Config } from '../../../platform/config/config.ts'
import { OperatorError } from '../../../platform/errors.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Block } from '../../../schema/block.ts'
import type { Network } from '../../../schema/networks.ts'
import { compareAggregates } from '../../../scorer/ingest/rebuild/compare.ts'
import { rebuild } from '../../../scorer/ingest/rebuild/rebuild.ts'
import { storedRanges } from '../../../scorer/ledger/blocks/stored.ts'
import { duration } from '../../command-line/text.ts'
import { openToolStore } from '../../process/store-socket.ts'
import { openSource } from '../../roles/source.ts'
import { runTool, type Tool } from '../tool.ts'
import type { BlockRange } from './options.ts'
import { runsOf } from './ranges.ts'
import { type Finding, verifyChain } from './verify-chain.ts'

/** Options of `assay verify`. */
export type VerifyRequest = {
  network: Network
  range?: BlockRange | undefined
  /** Approximate number of blocks to compare with the chain; all if not given. */
  sample?: number | undefined
  fix: boolean
  json?: boolean
}

/** Maximum number of printed findings; the rest is counted. */
const MAX_PRINTED = 50
/** Maximum number of blocks that one repair replaces. */
const MAX_REPAIRED = 20_000
const CONCURRENCY = 16
const MAX_BYTES = 64_000_000

/** Stored ranges within the requested one. Each has to be without gaps. */
const rangesToVerify = async (
  { say }: Tool,
  store: Store,
  { network, range }: VerifyRequest,
): Promise<BlockRange[]> => {
  const stored = await storedRanges(store, network)
  const ranges = stored
    .map(({ first, last }) => ({ from: Math.max(first, range?.from ?? 0), to: Math.min(last, range?.to ?? last) }))
    .filter(({ from, to }) => from <= to)
  if (ranges.length === 0) {
    throw new OperatorError(
      'ASSAY_VERIFY_NOTHING',
      `${network} has no stored final blocks ${range ? `from ${range.from} to ${range.to}` : 'yet'}, so nothing was verified. Add them with: assay backfill --network ${network} --from A --to B`,
    )
  }
  for (const [index, { from }] of ranges.entries()) {
    const below = ranges[index - 1]
    if (below) {
      say(
        `Blocks ${below.to + 1} to ${from - 1} are not stored. Add them with: assay backfill --network ${network} --from ${below.to + 1} --to ${from - 1}`,
      )
    }
  }
  return ranges
}

const findChainDifferences = async (tool: Tool, store: Store, source: Source, request: VerifyRequest) => {
  const { context, signal, say, progress } = tool
  const ranges = await rangesToVerify(tool, store, request)
  const all = ranges.reduce((sum, { from, to }) => sum + to - from + 1, 0)
  const share = request.sample === undefined ? 1 : request.sample / all
  const startedAt = context.clock.now()
  const findings: Finding[] = []
  const bad = new Set<number>()
  let before = 0
  let comparedBefore = 0
  let compared = 0
  for (const range of ranges) {
    await verifyChain(
      {
        store,
        source,
        compares: () => share >= 1 || Math.random() < share,
        concurrency: CONCURRENCY,
        signal,
        found: (finding) => {
          findings.push(finding)
          if (finding.repairable && bad.size < MAX_REPAIRED) bad.add(finding.number)
          if (findings.length <= MAX_PRINTED) say(`block ${finding.number} ${finding.what}`)
        },
        progress: (checked, count) => {
          compared = comparedBefore + count
          const done = before + checked
          progress(() => {
            const seconds = Math.max(1, context.clock.now() - startedAt) / 1_000
            const left = ((all - done) * seconds * 1_000) / done
            return `${done} of ${all} blocks of ${request.network} checked, ${compared} of them compared with the chain, ${(done / seconds).toFixed(0)} blocks/s, ${duration(left)} left`
          })
        },
      },
      range,
    )
    before += range.to - range.from + 1
    comparedBefore = compared
  }
  if (findings.length > MAX_PRINTED) say(`... and ${findings.length - MAX_PRINTED} more`)
  return { findings, bad: [...bad].sort((a, b) => a - b), all, compared }
}

const fetched = async function* (
  source: Source,
  numbers: readonly number[],
  signal: AbortSignal,
): AsyncGenerator<Block> {
  for (const run of runsOf(numbers)) {
    yield* fetchRange(source, run, { concurrency: CONCURRENCY, maxBytes: MAX_BYTES, signal })
  }
}

const repair = async (
  { context, signal, say, progress }: Tool,
  store: Store,
  source: Source,
  network: Network,
  bad: readonly number[],
): Promise<boolean> => {
  const outcome = await rebuild(
    {
      store,
      clock: context.clock,
      signal,
      progress: (done, all) => progress(() => `${done} of ${all} parts of the aggregates rebuilt`),
    },
    network,
    bad.length > 0 ? { blocks: bad, fresh: () => fetched(source, bad, signal) } : undefined,
  )
  if (outcome === 'interrupted') {
    say('Interrupted; the tables are unchanged. Run the same command again.')
    return false
  }
  say(`${bad.length} blocks were fetched from the chain again, and the aggregates were rebuilt.`)
  say(`Score the wallets of ${network} again with: assay replay --network ${network}`)
  return true
}

/** Compares blocks with the chain and aggregates with their base tables. Nothing is changed without `fix`. */
export const verifyCommand = (config: Config, request: VerifyRequest): Promise<void> =>
  runTool(
    config,
    'verify',
    async (tool) => {
      const { context, signal, say, report, progress } = tool
      const { network, fix } = request
      const store = await openToolStore(context, config)
      const { source } = openSource(context, config, network, { tokenMetadata: false })
      await source.verify()
      const { findings, bad, all, compared } = await findChainDifferences(tool, store, source, request)
      if (signal.aborted) return say('Interrupted; nothing was changed.')
      say(`${all} blocks of ${network}: ${compared} compared with the chain, ${findings.length} differences.`)
      const aggregates = await compareAggregates(store, network, {
        signal,
        progress: (done, count) => progress(() => `${done} of ${count} parts of the aggregates compared`),
      })
      if (signal.aborted) return say('Interrupted; nothing was changed.')
      const repairs = fix && (bad.length > 0 || aggregates.length > 0)
      const reported = (repaired: boolean) =>
        report({ network, blocks: all, compared, findings, tables: aggregates, repaired })
      for (const { table, differing, examples } of aggregates) {
        say(`table ${table} has ${differing} rows that do not match the base tables, among them ${examples.join(' ')}`)
      }
      if (aggregates.length === 0) say(`The aggregates of ${network} match the base tables.`)
      if (repairs) return reported(await repair(tool, store, source, network, bad))
      reported(false)
      if (findings.length + aggregates.length === 0) return
      throw new OperatorError(
        'ASSAY_VERIFY_DIFFERENCES',
        `Stored data of ${network} has ${findings.length} differences from the chain, and ${aggregates.length} aggregate tables do not match their base tables; see above. Nothing was changed. Repair it with: assay verify --network ${network}${request.range ? ` --from ${request.range.from} --to ${request.range.to}` : ''} --fix`,
      )
    },
    { json: request.json },
  )
