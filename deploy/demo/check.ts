/** Queries a running API about every entry of `scenario.json` and compares the answers with the expected values. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { messageOf, OperatorError } from '../../platform/errors.ts'
import { type ScenarioEntry, scenario } from './expectations.ts'

const PATHS: Readonly<Record<ScenarioEntry['operation'], string>> = {
  fraud_check: '/fraud/check',
  fraud_audit: '/fraud/audit',
  rug_pull: '/rug/pull-check',
}

/** A field that is not as expected. `path` is empty if there was no answer. */
export type Mismatch = {
  name: string
  address: string
  path: string
  expected: unknown
  got: unknown
  /** Message of a 503 response: why the API cannot answer yet. */
  refusal?: string
}

/** Access to the API. `apiUrl`: base URL of the enterprise surface. */
export type ApiAccess = { apiUrl: string; key: string }

/** Which API to query, and about which entries. */
export type CheckOptions = ApiAccess & {
  scenarioFile: string
  /** Prints a line of the table. @default standard output */
  print?: (line: string) => void
  /** Whether to stop at the first 503, because the network cannot answer about other wallets either. */
  stopAtRefusal?: boolean
}

const readScenario = (file: string): ScenarioEntry[] => {
  try {
    return scenario.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw new OperatorError(
      'ASSAY_DEMO_SCENARIO_MISSING',
      `The scenario file ${file} cannot be read: ${messageOf(cause)}. No request was sent. Run npm start without RPC settings first, with the same ASSAY_DATA.`,
      { cause },
    )
  }
}

const fieldAt = (answer: unknown, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, step) => (typeof value === 'object' && value !== null ? Reflect.get(value, step) : undefined),
      answer,
    )

const errorBody = z.object({ message: z.string() })

const fetchAnswer = async (
  { apiUrl, key }: ApiAccess,
  entry: ScenarioEntry,
): Promise<{ answer: unknown; failure?: string; refusal?: string }> => {
  try {
    const response = await fetch(new URL(PATHS[entry.operation], apiUrl), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ network: entry.network, walletAddress: entry.address }),
      signal: AbortSignal.timeout(30_000),
    })
    const text = await response.text()
    if (response.ok) return { answer: JSON.parse(text) }
    const failure = `${response.status} ${text.slice(0, 200)}`
    return response.status === 503
      ? { answer: undefined, failure, refusal: errorBody.parse(JSON.parse(text)).message }
      : { answer: undefined, failure }
  } catch (error) {
    return { answer: undefined, failure: messageOf(error) }
  }
}

const summary = z
  .object({
    status: z.string(),
    probabilityFraud: z.coerce.string(),
    forensic_details: z.record(z.string(), z.unknown()),
  })
  .partial()

/** A summary of an answer, and its fields that differ from the expected values. */
export type CheckResult = { status: string; probability: string; flags: string[]; mismatches: Mismatch[] }

/** Queries one entry. */
export const checkEntry = async (api: ApiAccess, entry: ScenarioEntry): Promise<CheckResult> => {
  const { name, address, expect } = entry
  const { answer, failure, refusal } = await fetchAnswer(api, entry)
  const mismatches: Mismatch[] = failure
    ? [{ name, address, path: '', expected: 200, got: failure, ...(refusal !== undefined && { refusal }) }]
    : Object.entries(expect)
        .map(([path, expected]) => ({ name, address, path, expected, got: fieldAt(answer, path) }))
        .filter(({ expected, got }) => got !== expected)
  const { status = '-', probabilityFraud = '-', forensic_details = {} } = summary.safeParse(answer).data ?? {}
  const flags = Object.keys(forensic_details).filter((flag) => forensic_details[flag] === '1')
  return { status, probability: probabilityFraud, flags, mismatches }
}

/** Lines that describe the fields that differ. */
export const mismatchLines = (mismatches: readonly Mismatch[]): string[] =>
  mismatches.map(
    ({ path, expected, got }) =>
      `    ${path || 'answer'}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got) ?? 'nothing'}`,
  )

/**
 * Prints one line per entry and returns every field that differs from its expected value.
 * @throws OperatorError ASSAY_DEMO_SCENARIO_MISSING
 */
export const checkScenario = async (options: CheckOptions): Promise<Mismatch[]> => {
  const { print = (line) => process.stdout.write(`${line}\n`) } = options
  const mismatches: Mismatch[] = []
  for (const entry of readScenario(options.scenarioFile)) {
    const { status, probability, mismatches: found } = await checkEntry(options, entry)
    print(
      `${found.length === 0 ? 'ok ' : 'NO '} ${entry.name.padEnd(18)} ${entry.address}  ${status.padEnd(11)} ${probability}`,
    )
    for (const line of mismatchLines(found)) print(line)
    mismatches.push(...found)
    if (options.stopAtRefusal && found.some(({ refusal }) => refusal !== undefined)) break
  }
  print(
    mismatches.length === 0
      ? 'Everything is as expected.'
      : `${mismatches.length} fields differ from the expected values.`,
  )
  return mismatches
}
