/**
 * `npm run eval -- flags [--wallets N] [--bad SHARE] [--seed S] [--from-day N] [--out FILE] [--records FILE]`: generates a
 * history of wallets with a known truth (`population/`), writes it into a temporary store as the ingest would, scores
 * all with the product's function and model, and prints per flag what was right, wrong and missed. `--records` writes the
 * records, one line per address, so that two versions of the rules can be compared byte for byte. `--from-day` limits the
 * index to events from a day on, and compares with the whole history.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { createModel } from '../../../deploy/roles/model.ts'
import { systemClock } from '../../../platform/context/clock.ts'
import { createLog } from '../../../platform/context/log.ts'
import { createMetrics, type Metrics } from '../../../platform/context/metrics.ts'
import { OperatorError } from '../../../platform/errors.ts'
import { migrate } from '../../../platform/store/migrate/migrate.ts'
import { openStore } from '../../../platform/store/open.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { forensicDetails } from '../../../schema/records/common.ts'
import { fraudBody } from '../../../schema/records/fraud.ts'
import { decodeRescore } from '../../../schema/topics.ts'
import { writeLabels } from '../../../scorer/ledger/labels/write.ts'
import { createQueueReceivers } from '../../../scorer/rescore/receivers.ts'
import { createRescore, WALLETS_AT_ONCE } from '../../../scorer/rescore/rescore.ts'
import { saveRecords } from '../../../scorer/scoring/stored.ts'
import type { Verdict } from '../../../scorer/scoring/verdict.ts'
import { writeLogsRead } from '../../kit/labels/authority-logs.ts'
import { BLOCK_SECONDS, GENESIS_BLOCK, NETWORK } from '../population/chain.ts'
import { populate, type Sink, type Spec } from '../population/population.ts'
import type { FlagName, Member } from '../population/roster.ts'
import { describe, type Finding, tallyFlag, tallyVerdict } from '../population/tally.ts'
import { BLOCKS_A_DAY, type Transformation, UNCHANGED } from '../population/transformation.ts'
import { tallyTruncation } from '../population/truncation.ts'
import { firstBlockOf, type Lines, seenFrom } from '../population/window.ts'
import { DAY, END, SPAN } from '../population/world.ts'

const FLAGS = Object.keys(forensicDetails.shape).filter((name): name is FlagName => name !== 'data_source')
const EMPTY_BLOCKS = readSql(import.meta.url, '../population/sql/empty-blocks.sql')
const SEED = 20_251_121

const seconds = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
  const started = performance.now()
  const result = await work()
  return [result, (performance.now() - started) / 1_000]
}

/** Inserts chunks one behind the other while the next is being made. */
const writingTo = (
  store: Store,
  first: number,
  transform: Transformation['rows'],
): { sink: Sink; done: () => Promise<void>; rows: Record<string, number> } => {
  const rows: Record<string, number> = {}
  let writing = Promise.resolve()
  return {
    rows,
    sink: seenFrom(first, async (chunk: Lines[]) => {
      await writing
      writing = (async () => {
        for (const { table, lines, rows: count } of transform(chunk)) {
          rows[table] = (rows[table] ?? 0) + count
          await store.insert(table, lines)
        }
      })()
      writing.catch(() => {})
    }),
    done: () => writing,
  }
}

const flagsOf = (scored: Verdict): FlagName[] => {
  if (!scored.seen) return []
  const details = fraudBody.parse(JSON.parse(scored.body)).forensic_details
  return FLAGS.filter((flag) => details[flag] !== '0')
}

/** Marks a history as seen from its first block on: there is nothing before it. */
const beginsWithTheChain = (store: Store): Promise<void> =>
  store.command(EMPTY_BLOCKS, { network: NETWORK, first: 0, count: 1, time: 0, seconds: BLOCK_SECONDS })

/**
 * Creates a population in an empty, migrated store, scores all of it and compares.
 * @param fromDay day of the history on which the index starts; 0 for all of it
 * @param transformation change to the history; findings use the original addresses
 */
export const measureFlags = async (
  store: Store,
  metrics: Metrics,
  spec: Spec,
  fromDay = 0,
  transformation = UNCHANGED,
) => {
  const first = firstBlockOf(fromDay)
  const writing = writingTo(store, first, transformation.rows)
  const later = transformation.days * DAY
  const [{ members, transactions }, made] = await seconds(async () => {
    const population = await populate(spec, writing.sink)
    await writing.done()
    await writeLabels(
      store,
      population.labels.map((label) => ({ ...label, address: transformation.address(label.address) })),
    )
    await writeLogsRead(store, NETWORK)
    await store.command(EMPTY_BLOCKS, {
      network: NETWORK,
      first: first + transformation.days * BLOCKS_A_DAY,
      count: Math.floor(SPAN / BLOCK_SECONDS) - (first - GENESIS_BLOCK),
      time: END - SPAN + fromDay * DAY + later,
      seconds: BLOCK_SECONDS,
    })
    if (fromDay === 0) await beginsWithTheChain(store)
    return population
  })
  const { rescore, modelVersion } = createRescore({
    context: { metrics, clock: systemClock },
    store,
    model: createModel(),
  })
  const records: string[] = []
  const verdicts = new Map<string, Verdict>()
  let queued: string[] = []
  const spread = createQueueReceivers({
    store,
    producer: {
      send: async (sent) => {
        queued.push(
          ...sent.flatMap(({ messages }) => messages.flatMap(({ value }) => (value ? decodeRescore(value) : []))),
        )
      },
    },
  })
  /** Stored as the stream does, so that verdicts are known to the receivers of payments. */
  const score = async (addresses: readonly string[]) => {
    for (let at = 0; at < addresses.length; at += WALLETS_AT_ONCE) {
      const scored = await rescore(NETWORK, addresses.slice(at, at + WALLETS_AT_ONCE), (END + later) * 1_000)
      await saveRecords(store, scored)
      await spread(NETWORK, scored)
      for (const one of scored) verdicts.set(one.address, one)
    }
  }
  const addressesOf = (some: readonly Member[]) => some.map(({ address }) => transformation.address(address))
  const findingsOf = (some: readonly Member[]): Finding[] =>
    some.flatMap((member) => {
      const scored = verdicts.get(transformation.address(member.address))
      if (!scored) return []
      const { seen, probability, status, unknowns } = scored
      const codes = scored.reasons.map(({ code }) => code)
      records.push(JSON.stringify({ address: member.address, body: scored.body, codes }))
      return [{ member, seen, flags: flagsOf(scored), codes, probability, status, unknowns }]
    })
  const wallets = members.filter(({ kind }) => kind === 'wallet')
  const others = members.filter(({ kind }) => kind === 'contract')
  const [, spent] = await seconds(() => score(addressesOf(wallets)))
  await score(addressesOf(others))
  const rounds: number[] = []
  while (queued.length > 0) {
    const again = [...new Set(queued)].filter((address) => verdicts.has(address))
    queued = []
    rounds.push(again.length)
    await score(again)
  }
  const findings = findingsOf(wallets)
  const contracts = findingsOf(others)
  const accused = contracts.filter(({ member, flags }) => flags.some((flag) => !member.tolerated.has(flag)))
  return {
    findings: [...findings, ...contracts],
    records: records.sort(),
    report: {
      population: {
        ...spec,
        fromDay,
        wallets: wallets.length,
        contracts: contracts.length,
        transactions,
        rows: writing.rows,
      },
      model: modelVersion,
      seconds: { makingAndInserting: Math.round(made), scoring: Math.round(spent) },
      walletsPerSecond: Math.round(wallets.length / spent),
      flags: Object.fromEntries(FLAGS.map((flag) => [flag, tallyFlag(flag, findings)])),
      /** Wallets rescored because of their payers, round by round. */
      scoredAgain: rounds,
      verdict: tallyVerdict(findings),
      /** Contracts have flags of their own; those of honest people must not. */
      contractsAccused: accused.map(({ member, flags }) => ({ ...describe(member), flags: flags.join(' ') })),
    },
  }
}

const csvOf = (findings: readonly Finding[]): string =>
  [
    'address,role,offences,harms,expected,found,probability,status',
    ...findings.map(({ member, flags, probability, status }) =>
      [
        member.address,
        member.role,
        member.offences,
        [...member.harms].join(' / '),
        [...member.expected].join(' '),
        flags.join(' '),
        probability,
        status,
      ].join(','),
    ),
    '',
  ].join('\n')

const options = z.object({
  wallets: z.coerce.number().int().min(200).default(100_000),
  bad: z.coerce.number().min(0).max(0.5).default(0.01),
  seed: z.coerce.number().int().default(SEED),
  'from-day': z.coerce
    .number()
    .int()
    .min(0)
    .max(SPAN / DAY - 1)
    .default(0),
  out: z.string().optional(),
  records: z.string().optional(),
})

/** Measures in a temporary store. */
const measured = async (spec: Spec, fromDay: number): ReturnType<typeof measureFlags> => {
  const path = mkdtempSync(join(tmpdir(), 'assay-population-'))
  const log = createLog('silent')
  const metrics = createMetrics()
  const store = await openStore({ path, readers: 3, metrics, log })
  try {
    await migrate({ store, log })
    return await measureFlags(store, metrics, spec, fromDay)
  } finally {
    await store.close()
    rmSync(path, { recursive: true, force: true })
  }
}

/** @throws OperatorError ASSAY_EVAL_INPUT if an option is out of range */
export const evaluateWalletFlags = async (args: string[]): Promise<void> => {
  const text = { type: 'string' } as const
  const parsed = options.safeParse(
    parseArgs({
      args,
      options: { wallets: text, bad: text, seed: text, 'from-day': text, out: text, records: text },
    }).values,
  )
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('; ')
    throw new OperatorError('ASSAY_EVAL_INPUT', `Nothing was scored: ${wrong}. Correct the option.`)
  }
  const { out, records: recordsFile, 'from-day': fromDay, ...spec } = parsed.data
  const whole = fromDay === 0 ? undefined : await measured(spec, 0)
  const { findings, records, report } = await measured(spec, fromDay)
  if (out !== undefined) writeFileSync(out, csvOf(findings))
  if (recordsFile !== undefined) writeFileSync(recordsFile, `${records.join('\n')}\n`)
  const truncation = whole && {
    wholeHistory: whole.report.verdict,
    ...tallyTruncation(whole.findings, findings),
  }
  process.stdout.write(`${JSON.stringify({ ...report, ...(truncation && { truncation }) }, null, 2)}\n`)
}
