/**
 * `npm run eval -- flags [--wallets N] [--bad SHARE] [--seed S] [--out FILE] [--records FILE]`: generates a history of
 * wallets whose truth is known (`population/`), writes it into a temporary store as the ingest would, scores everyone with
 * the function and the model that serve, and prints per flag what was right, wrong and missed. `--records` writes what
 * would be served, one line per address, so that two versions of the rules can be compared byte for byte.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { createModel } from '../../../deploy/roles/model.ts'
import { systemClock } from '../../../platform/clock.ts'
import { OperatorError } from '../../../platform/errors.ts'
import { createLog } from '../../../platform/log.ts'
import { createMetrics, type Metrics } from '../../../platform/metrics.ts'
import { migrate } from '../../../platform/store/migrate.ts'
import { openStore } from '../../../platform/store/open.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { forensicDetails } from '../../../schema/records/common.ts'
import { fraudBody } from '../../../schema/records/fraud.ts'
import { writeLabels } from '../../../scorer/ledger/labels/write.ts'
import { createRescore, WALLETS_AT_ONCE } from '../../../scorer/rescore.ts'
import type { Verdict } from '../../../scorer/scoring/verdict.ts'
import { writeLogsRead } from '../../kit/authority-logs.ts'
import { BLOCK_SECONDS, GENESIS_BLOCK, GENESIS_TIME, NETWORK } from '../population/chain.ts'
import { populate, type Sink, type Spec } from '../population/population.ts'
import type { FlagName, Member } from '../population/roster.ts'
import { describe, type Finding, tallyFlag, tallyVerdict } from '../population/tally.ts'
import { END, SPAN } from '../population/world.ts'

const FLAGS = Object.keys(forensicDetails.shape).filter((name): name is FlagName => name !== 'data_source')
const EMPTY_BLOCKS = readSql(import.meta.url, '../population/sql/empty-blocks.sql')
const SEED = 20_251_121

const seconds = async <T>(work: () => Promise<T>): Promise<[T, number]> => {
  const started = performance.now()
  const result = await work()
  return [result, (performance.now() - started) / 1_000]
}

/** Inserts chunks one behind the other while the next is being made. */
const writingTo = (store: Store): { sink: Sink; done: () => Promise<void>; rows: Record<string, number> } => {
  const rows: Record<string, number> = {}
  let writing = Promise.resolve()
  return {
    rows,
    sink: async (chunk) => {
      await writing
      writing = (async () => {
        for (const { table, lines, rows: count } of chunk) {
          rows[table] = (rows[table] ?? 0) + count
          await store.insert(table, lines)
        }
      })()
      writing.catch(() => {})
    },
    done: () => writing,
  }
}

const flagsOf = (scored: Verdict): FlagName[] => {
  if (!scored.seen) return []
  const details = fraudBody.parse(JSON.parse(scored.body)).forensic_details
  return FLAGS.filter((flag) => details[flag] !== '0')
}

/** Makes a population in an empty, migrated store, scores all of it and compares. */
export const measureFlags = async (store: Store, metrics: Metrics, spec: Spec) => {
  const writing = writingTo(store)
  const [{ members, transactions }, made] = await seconds(async () => {
    const population = await populate(spec, writing.sink)
    await writing.done()
    await writeLabels(store, population.labels)
    await writeLogsRead(store, NETWORK)
    await store.command(EMPTY_BLOCKS, {
      network: NETWORK,
      first: GENESIS_BLOCK,
      count: Math.floor(SPAN / BLOCK_SECONDS),
      time: GENESIS_TIME,
      seconds: BLOCK_SECONDS,
    })
    return population
  })
  const { rescore, modelVersion } = createRescore({
    context: { metrics, clock: systemClock },
    store,
    model: createModel(),
  })
  const records: string[] = []
  const score = async (some: readonly Member[]): Promise<Finding[]> => {
    const findings: Finding[] = []
    for (let at = 0; at < some.length; at += WALLETS_AT_ONCE) {
      const batch = some.slice(at, at + WALLETS_AT_ONCE)
      const verdicts = await rescore(
        NETWORK,
        batch.map(({ address }) => address),
        END * 1_000,
      )
      for (const [nth, member] of batch.entries()) {
        const scored = verdicts[nth]
        if (!scored) continue
        findings.push({ member, flags: flagsOf(scored), probability: scored.probability, status: scored.status })
        const codes = scored.reasons.map(({ code }) => code)
        records.push(JSON.stringify({ address: member.address, body: scored.body, codes }))
      }
    }
    return findings
  }
  const wallets = members.filter(({ kind }) => kind === 'wallet')
  const [findings, spent] = await seconds(() => score(wallets))
  const contracts = await score(members.filter(({ kind }) => kind === 'contract'))
  const accused = contracts.filter(({ member, flags }) => flags.some((flag) => !member.tolerated.has(flag)))
  return {
    findings: [...findings, ...contracts],
    records: records.sort(),
    report: {
      population: { ...spec, wallets: wallets.length, contracts: contracts.length, transactions, rows: writing.rows },
      model: modelVersion,
      seconds: { makingAndInserting: Math.round(made), scoring: Math.round(spent) },
      walletsPerSecond: Math.round(wallets.length / spent),
      flags: Object.fromEntries(FLAGS.map((flag) => [flag, tallyFlag(flag, findings)])),
      verdict: tallyVerdict(findings),
      /** Contracts raise flags of their own; those of honest people must not. */
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
  out: z.string().optional(),
  records: z.string().optional(),
})

/** @throws OperatorError ASSAY_EVAL_INPUT when an option is out of range. */
export const evaluateWalletFlags = async (args: string[]): Promise<void> => {
  const text = { type: 'string' } as const
  const parsed = options.safeParse(
    parseArgs({ args, options: { wallets: text, bad: text, seed: text, out: text, records: text } }).values,
  )
  if (!parsed.success) {
    const wrong = parsed.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('; ')
    throw new OperatorError('ASSAY_EVAL_INPUT', `Nothing was scored: ${wrong}. Correct the option.`)
  }
  const { out, records: recordsFile, ...spec } = parsed.data
  const path = mkdtempSync(join(tmpdir(), 'assay-population-'))
  const log = createLog('silent')
  const metrics = createMetrics()
  const store = await openStore({ path, readers: 3, metrics, log })
  try {
    await migrate({ store, log })
    const { findings, records, report } = await measureFlags(store, metrics, spec)
    if (out !== undefined) writeFileSync(out, csvOf(findings))
    if (recordsFile !== undefined) writeFileSync(recordsFile, `${records.join('\n')}\n`)
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`)
  } finally {
    await store.close()
    rmSync(path, { recursive: true, force: true })
  }
}
