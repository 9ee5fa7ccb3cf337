/**
 * `npm run eval -- contracts [--sources FILE [--across FILE]...] [--bytecode FILE] [--backdoors FILE] [--out FILE] [--train FILE]
 * [--train-market FILE [--market-labels FILE] [--market-series FILE]]`: verdicts on corpora of JSON lines (gzipped or not), metrics as
 * JSON on stdout, one CSV row per contract.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { riskIndicators } from '../../../schema/records/rug.ts'
import type { ContractReport } from '../../../scorer/contracts/analysis.ts'
import { SELF_SERVICE } from '../../../scorer/contracts/power/calls/arguments.ts'
import type { Effect } from '../../../scorer/contracts/power/effects/effects.ts'
import { CODE_MODEL_FILE, codeFeatures } from '../../../scorer/contracts/verdict/code-model.ts'
import { withModel } from '../../../scorer/contracts/verdict/verdict.ts'
import { availableCompilers } from '../../kit/contracts/solidity/compile.ts'
import { writeJson } from '../../kit/formatted-json.ts'
import { auc, averagePrecision } from '../metrics.ts'
import { type ForeignRow, rankAcross, type Sighted } from './across.ts'
import { type BackdoorRow, evaluateBackdoors } from './backdoors.ts'
import { evaluateBytecode } from './bytecode.ts'
import { trainMarketModel } from './market-model.ts'
import { evaluateSources, type Verdict } from './sources.ts'
import { crossValidate, groupClones, trainCodeModel } from './train-code-model.ts'

const text = z.union([z.string(), z.number()]).transform(String)
const labelOf = z.union([z.number(), z.string(), z.boolean()]).transform((value) => Number(value))
const flags = z
  .union([z.record(z.string(), z.number()), z.string().transform((value) => JSON.parse(value.replaceAll("'", '"')))])
  .nullish()
const row = z.looseObject({
  row_id: text.nullish(),
  file: text.nullish(),
  address: z.string().nullish(),
  is_rug: labelOf.nullish(),
  label: labelOf.nullish(),
  type: z.string().nullish(),
  source: z.string().nullish(),
  source_code: z.string().nullish(),
  bytecode: z.string().nullish(),
  flags,
})
type Row = z.output<typeof row>

/** JSON lines, gzipped or not. */
export const readRows = (file: string): Row[] => {
  const bytes = readFileSync(file)
  const plain = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes
  return plain
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => row.parse(JSON.parse(line)))
}

const idOf = (item: Row, index: number): string => item.row_id ?? item.address ?? item.file ?? String(index)
const labelFrom = (item: Row): number | undefined => item.is_rug ?? item.label ?? undefined

const cell = (value: unknown): string => {
  const text = value === undefined || value === null ? '' : String(value)
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const INDICATORS = riskIndicators.keyof().options
const HEADER = [
  'corpus',
  'id',
  'label',
  'analysed',
  'status',
  'probabilityFraud',
  'risk_score',
  ...INDICATORS,
  'predicted',
  'note',
]

type Line = { corpus: string; verdict: Verdict; predicted?: string[] }

const csvOf = (lines: Line[]): string =>
  [
    HEADER.join(','),
    ...lines.map(({ corpus, verdict, predicted }) =>
      [
        corpus,
        verdict.id,
        verdict.label,
        verdict.analysed ? 1 : 0,
        verdict.report?.status,
        verdict.report?.probability,
        verdict.report?.riskScore,
        ...INDICATORS.map((name) => verdict.report?.indicators[name]),
        predicted?.join(' '),
        verdict.note,
      ]
        .map(cell)
        .join(','),
    ),
  ].join('\n')

const round = (value: number) => (Number.isFinite(value) ? Number(value.toFixed(4)) : null)

const speedOf = (verdicts: Verdict[]) => {
  const sorted = verdicts
    .filter((item) => item.analysed)
    .map((item) => item.ms)
    .sort((a, b) => a - b)
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
  return { p50_ms: at(0.5), p95_ms: at(0.95) }
}

/** Precision, recall and F1 of predictions against labels; rows without an answer count as no. */
const powerMetrics = (rows: { truth: boolean; predicted: boolean }[]) => {
  const tp = rows.filter((item) => item.truth && item.predicted).length
  const fp = rows.filter((item) => !item.truth && item.predicted).length
  const fn = rows.filter((item) => item.truth && !item.predicted).length
  const precision = tp / (tp + fp)
  const recall = tp / (tp + fn)
  return {
    positives: tp + fn,
    tp,
    fp,
    fn,
    precision: round(precision),
    recall: round(recall),
    f1: round((2 * precision * recall) / (precision + recall)),
  }
}

const classMetrics = (verdicts: Verdict[]) => {
  const known = verdicts.filter((item) => item.analysed && item.label !== undefined)
  const scored = (score: (verdict: Verdict) => number) =>
    known.map((item) => ({ label: item.label ?? 0, score: score(item) }))
  const fraud = (label: number) => known.filter((item) => item.label === label && item.report?.status === 'Fraud')
  const honest = known.filter((item) => item.label === 0)
  return {
    labelled: known.length,
    auc_probabilityFraud: round(auc(scored((item) => item.report?.probability ?? 0))),
    average_precision: round(averagePrecision(scored((item) => item.report?.probability ?? 0))),
    auc_risk_score: round(auc(scored((item) => item.report?.riskScore ?? 0))),
    fraud_precision: round(fraud(1).length / (fraud(1).length + fraud(0).length)),
    fraud_recall: round(fraud(1).length / known.filter((item) => item.label === 1).length),
    false_positive_rate: round(fraud(0).length / honest.length),
    false_positives: fraud(0).map((item) => ({
      id: item.id,
      probability: item.report?.probability,
      why: item.report?.reasons.fraud
        .filter((reason) => !['creator', 'liquidity_providers'].includes(reason.code))
        .map((reason) => `${reason.code} ${reason.contribution}: ${reason.evidence.slice(0, 2).join('; ')}`),
    })),
  }
}

const common = (verdicts: Verdict[], wallMs: number) => ({
  rows: verdicts.length,
  analysed: verdicts.filter((item) => item.analysed).length,
  with_pool: verdicts.filter((item) => item.report?.indicators.is_in_dex === 1).length,
  honeypots: verdicts.filter((item) => item.report?.indicators.is_honeypot === 1).length,
  ...speedOf(verdicts),
  rows_per_second: round((1_000 * verdicts.length) / wallMs),
})

const collect = async (run: (onVerdict: (verdict: Verdict) => void) => Promise<void>) => {
  const verdicts: Verdict[] = []
  const started = performance.now()
  await run((verdict) => {
    verdicts.push(verdict)
    if (verdicts.length % 25 === 0) process.stderr.write(`${verdicts.length} contracts\n`)
  })
  const wallMs = performance.now() - started
  // Folds follow from the order of rows, and verdicts arrive in any order.
  return { verdicts: verdicts.sort((a, b) => (a.id < b.id ? -1 : 1)), wallMs }
}

const LIMITS = [
  'is_honeypot',
  'is_blacklisted',
  'transfer_pausable',
  'cannot_sell_all',
  'anti_whale_modifiable',
] as const

/** Percentage from which a settable tax counts as a ban on selling. */
const PROHIBITIVE_TAX = 50

/**
 * Labelled powers that one report shows. If a contract called by the code had to be invented, the effect of its answers on the
 * sender's balances is no evidence.
 */
const powersShown = ({ indicators, findings, examination }: ContractReport, invented: boolean): string[] => {
  const powers = examination.powers.powers.filter((power) => !(invented && SELF_SERVICE.has(power.selector)))
  const takes = powers.some((power) => power.effect === 'burn_other' || power.effect === 'set_balance')
  const mints = powers.some((power) => power.effect === 'mint' && !power.singleUse)
  const mine = (effect: Effect) => powers.some((power) => power.effect === effect && !power.anyone)
  const opens = examination.opened !== undefined || mine('open_transfers')
  const limits = opens || LIMITS.some((name) => indicators[name] === 1) || findings.reachableTax >= PROHIBITIVE_TAX
  return [
    ...(indicators.is_mintable === 1 && mints ? ['mint'] : []),
    ...(limits ? ['limit'] : []),
    ...((indicators.owner_change_balance === 1 && takes) || findings.approvalAbuse.holds || mine('withdraw')
      ? ['leak']
      : []),
  ]
}

/** Powers of the code in all states in which it was analysed. */
const crpPowers = ({ report, more = [], invented = false }: Verdict): string[] => [
  ...new Set([...(report ? [report] : []), ...more].flatMap((look) => powersShown(look, invented))),
]

const samplesOf = (verdicts: Verdict[]): Sighted[] => {
  const known = verdicts.flatMap(({ report, label }) =>
    report && label !== undefined && report.examination.subject.isToken ? [{ report, label }] : [],
  )
  const codes = known.map(({ report }) => ({
    family: report.familyHash,
    selectors: new Set(report.examination.subject.functions.map((facts) => facts.selector)),
  }))
  const groups = groupClones(codes)
  return known.map(({ report, label }, i) => ({
    ...(codes[i] ?? { family: '', selectors: new Set<string>() }),
    label,
    group: groups[i] ?? '',
    features: codeFeatures(report.examination.subject, report.indicators),
  }))
}

const sourcesOf = (file: string) => {
  const rows = readRows(file)
  return rows.map((item, i) => ({
    id: idOf(item, i),
    label: labelFrom(item),
    source: item.source ?? item.source_code ?? '',
  }))
}

/** Labelled bytecode of another collection. */
const foreignOf = (file: string): ForeignRow[] =>
  readRows(file).flatMap((item) => {
    const label = labelFrom(item)
    return label === undefined || !item.bytecode || item.bytecode.length <= 4
      ? []
      : [{ label, bytecode: item.bytecode }]
  })

/** The eval command. @throws ZodError if a file's rows do not have the documented shape */
export const evaluateContracts = async (args: string[]): Promise<void> => {
  const { values } = parseArgs({
    args,
    options: {
      sources: { type: 'string' },
      across: { type: 'string', multiple: true, default: [] },
      bytecode: { type: 'string' },
      backdoors: { type: 'string' },
      out: { type: 'string' },
      train: { type: 'string' },
      'train-market': { type: 'string' },
      'market-labels': { type: 'string' },
      'market-series': { type: 'string' },
      parallel: { type: 'string', default: '2' },
      'use-sources': { type: 'boolean', default: false },
    },
  })
  const parallel = Number(values.parallel)
  const lines: Line[] = []
  const metrics: Record<string, unknown> = { compilers: availableCompilers() }
  if (values['train-market']) {
    const files = { labels: values['market-labels'], series: values['market-series'] }
    metrics.market = trainMarketModel({ pools: values['train-market'], ...files })
  }
  if (values.train) {
    const rows = sourcesOf(values.train)
    const { verdicts } = await collect((on) => evaluateSources(rows, on, parallel, () => undefined))
    const tokens = verdicts.filter((item) => item.label !== undefined && item.report?.examination.subject.isToken)
    const samples = samplesOf(tokens)
    const model = trainCodeModel(samples)
    writeJson(CODE_MODEL_FILE, model)
    const tried = Object.fromEntries(
      [0.0003, 0.001, 0.003, 0.01].map((l2) => [`l2_${l2}`, round(crossValidate(samples, l2).auc)]),
    )
    // The verdict with a model that never saw the row's clones.
    const { scores } = crossValidate(samples)
    const joined = tokens.map((item, i) => ({
      label: item.label ?? 0,
      score: withModel(item.report?.probability ?? 0, scores[i] ?? 0),
    }))
    const flagged = (label: number) => joined.filter((item) => item.label === label && item.score >= 0.5).length
    metrics.training = {
      auc_probabilityFraud_cross_validated: round(auc(joined)),
      auc_probabilityFraud_without_model: round(
        auc(tokens.map((item) => ({ label: item.label ?? 0, score: item.report?.probability ?? 0 }))),
      ),
      flagged_rugs: flagged(1),
      flagged_honest: flagged(0),
      samples: samples.length,
      groups: new Set(samples.map((sample) => sample.group)).size,
      features: model.features.length + model.words.length,
      cross_validated_auc: tried,
    }
  }
  if (values.sources) {
    const rows = sourcesOf(values.sources)
    const { verdicts, wallMs } = await collect((on) => evaluateSources(rows, on, parallel))
    lines.push(...verdicts.map((verdict) => ({ corpus: 'sources', verdict })))
    metrics.sources = { ...common(verdicts, wallMs), ...classMetrics(verdicts) }
    const collections = values.across.map((file) => [basename(file), foreignOf(file)] as const)
    if (collections.length > 0) metrics.code_model = await rankAcross(samplesOf(verdicts), new Map(collections))
  }
  if (values.bytecode) {
    const rows = readRows(values.bytecode)
    const items = rows.map((item, i) => ({
      id: idOf(item, i),
      label: labelFrom(item),
      bytecode: item.bytecode ?? '',
      source: item.source_code ?? item.source ?? undefined,
    }))
    const usable = items.filter((item) => item.bytecode.length > 4)
    const { verdicts, wallMs } = await collect((on) =>
      evaluateBytecode(usable, on, { parallel, useSources: values['use-sources'] }),
    )
    lines.push(...verdicts.map((verdict) => ({ corpus: 'bytecode', verdict, predicted: crpPowers(verdict) })))
    const truth = new Map(rows.map((item, i) => [idOf(item, i), item.flags]))
    const labelled = verdicts.filter((verdict) => truth.get(verdict.id))
    const powers = Object.fromEntries(
      ['mint', 'limit', 'leak'].map((name) => [
        name,
        powerMetrics(
          labelled.map((verdict) => ({
            truth: truth.get(verdict.id)?.[name] === 1,
            predicted: crpPowers(verdict).includes(name),
          })),
        ),
      ]),
    )
    metrics.bytecode = {
      ...common(verdicts, wallMs),
      movable: verdicts.filter((item) => item.report?.examination.powers.movable).length,
      powers,
      ...(new Set(verdicts.map((item) => item.label)).size > 1 ? classMetrics(verdicts) : {}),
    }
  }
  if (values.backdoors) {
    const rows: BackdoorRow[] = readRows(values.backdoors).map((item, i) => ({
      id: `${item.type ?? ''}/${idOf(item, i)}`,
      type: item.type ?? '',
      source: item.source ?? '',
    }))
    const { results, metrics: found } = await evaluateBackdoors(rows, parallel)
    lines.push(...results.map(({ verdict, predicted }) => ({ corpus: 'backdoors', verdict, predicted })))
    metrics.backdoors = found
  }
  if (values.out) writeFileSync(values.out, `${csvOf(lines)}\n`)
  process.stdout.write(`${JSON.stringify(metrics, null, 2)}\n`)
}
