/** The watched part of a record. Excludes everything that changes only with time, prices or block height. */
import { hash } from 'node:crypto'
import { z } from 'zod'
import type { Network } from '../../../schema/networks.ts'
import { BANDS, type WatchedOperation, type WatchedVerdict } from '../../../schema/records/service/monitoring.ts'

/** A record of topic `records` or its table. */
export type WatchedRecord = {
  operation: WatchedOperation
  network: Network
  address: string
  version: number
  /** Empty if the record is withdrawn. */
  body: string
  /** JSON of the stored reasons. */
  reasons: string
  /** JSON object of the unknown indicators of a contract, which are 0 in the record. */
  unknowns: string
  modelVersion: string
  dataHeight: number | null
}

/** A reason in webhooks. */
export type Reason = { code: string; title: string }

/** The comparable part of a record: verdict and reasons. */
export type Judged = { verdict: WatchedVerdict; reasons: Reason[]; liquidityLocked: boolean | null }

/** Indicators that are no risk. */
const NO_RISK: ReadonlySet<string> = new Set(['is_in_dex', 'is_open_source', 'is_anti_whale'])
/** Indicators that are numbers, not conditions. */
const NUMBERS: ReadonlySet<string> = new Set(['buy_tax', 'sell_tax', 'creator_percent', 'liquidity', 'market_cap'])

const reason = z.object({ code: z.string(), title: z.string().optional().default('') })
const storedReasons = z.union([
  z.array(reason),
  z.object({ risk: z.array(reason), fraud: z.array(reason) }).transform(({ risk, fraud }) => [...risk, ...fraud]),
])

const wallet = z.object({
  status: z.string(),
  probabilityFraud: z.string(),
  forensic_details: z.record(z.string(), z.string()),
})
const contract = z.object({
  status: z.string(),
  probabilityFraud: z.number(),
  risk_status: z.string(),
  risk_indicators: z.record(z.string(), z.union([z.number(), z.boolean(), z.string()])),
})

/** Taxes of a wallet, or of a contract without measured taxes. */
export const NO_TAXES = { buyTax: null, sellTax: null }

/** The band of a probability, 0 to 1. */
export const bandOf = (probability: number): WatchedVerdict['band'] =>
  (BANDS.find(({ upTo }) => probability <= upTo) ?? BANDS[3]).band

/** Names of the unknown indicators. */
const unknownsOf = (text: string): ReadonlySet<string> =>
  new Set(Object.keys(z.record(z.string(), z.unknown()).parse(JSON.parse(text || '{}'))))

const raised = (flags: Record<string, unknown>, isRaised: (name: string, value: unknown) => boolean): string[] =>
  Object.entries(flags)
    .filter(([name, value]) => isRaised(name, value))
    .map(([name]) => name)
    .toSorted()

/** Reasons, one per code. */
const reasonsOf = (text: string): Reason[] => {
  const byCode = new Map(storedReasons.parse(JSON.parse(text || '[]')).map((one) => [one.code, one]))
  return [...byCode.values()]
}

/** Parses a record; `null` if it is withdrawn. @throws ZodError or SyntaxError for an invalid record */
export const judgedOf = ({ operation, version, body, ...record }: WatchedRecord): Judged | null => {
  if (body === '') return null
  const reasons = reasonsOf(record.reasons)
  const common = {
    recordVersion: version,
    recordHash: hash('sha256', body),
    dataHeight: record.dataHeight,
    modelVersion: record.modelVersion,
  }
  if (operation === 'fraud_check') {
    const { status, probabilityFraud, forensic_details: details } = wallet.parse(JSON.parse(body))
    const flags = raised(details, (name, value) => name !== 'data_source' && value !== '0')
    const band = bandOf(Number(probabilityFraud))
    const verdict = { status, band, probability: probabilityFraud, flags, riskStatus: null, ...NO_TAXES, ...common }
    return { verdict, reasons, liquidityLocked: null }
  }
  const { status, probabilityFraud, risk_status: riskStatus, risk_indicators: found } = contract.parse(JSON.parse(body))
  const unknowns = unknownsOf(record.unknowns)
  const taxOf = (name: 'buy_tax' | 'sell_tax'): number | null => {
    const value = found[name]
    return typeof value === 'number' && !unknowns.has(name) ? value : null
  }
  const flags = raised(found, (name, value) => value === 1 && !NO_RISK.has(name) && !NUMBERS.has(name))
  const verdict = {
    status,
    band: bandOf(probabilityFraud),
    probability: String(probabilityFraud),
    flags,
    riskStatus,
    buyTax: taxOf('buy_tax'),
    sellTax: taxOf('sell_tax'),
    ...common,
  }
  return { verdict, reasons, liquidityLocked: found.lp_holders_locked === true }
}

/** Keeps the last measured taxes if the newest analysis could not measure them. */
export const withLastTaxes = (before: Judged | null, after: Judged | null): Judged | null => {
  if (!before || !after) return after
  const { buyTax, sellTax } = before.verdict
  const { verdict } = after
  return {
    ...after,
    verdict: { ...verdict, buyTax: verdict.buyTax ?? buyTax, sellTax: verdict.sellTax ?? sellTax },
  }
}
