/** Asks a running API about everyone in `scenario.json` and compares the answers with what was expected. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { messageOf, OperatorError } from '../../platform/errors.ts'
import { type ScenarioEntry, scenario } from './expectations.ts'

const PATHS: Readonly<Record<ScenarioEntry['operation'], string>> = {
  fraud_check: '/fraud/check',
  fraud_audit: '/fraud/audit',
  rug_pull: '/rug/pull-check',
}

/** One field that is not as expected; `path` is empty when there was no answer to compare. */
export type Mismatch = {
  name: string
  address: string
  path: string
  expected: unknown
  got: unknown
  /** Why there will only be an answer later: what the API said with a 503. */
  refusal?: string
}

/** `apiUrl`: base URL of the enterprise surface. */
export type Asked = { apiUrl: string; key: string }

/** Whom to ask, and about whom. */
export type CheckOptions = Asked & {
  scenarioFile: string
  /** Where the table goes; standard output without it. */
  print?: (line: string) => void
  /** Whether to ask nobody else once somebody was refused, as the network answers about nobody yet. */
  untilRefused?: boolean
}

const readScenario = (file: string): ScenarioEntry[] => {
  try {
    return scenario.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    throw new OperatorError(
      'ASSAY_DEMO_SCENARIO_MISSING',
      `There is no scenario to compare with at ${file}: ${messageOf(cause)}. Nothing was asked. Run npm start without RPC settings first, with the same ASSAY_DATA.`,
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

const answerOf = async (
  { apiUrl, key }: Asked,
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

/** What was answered about somebody, and every field of it that differs. */
export type Checked = { status: string; probability: string; flags: string[]; mismatches: Mismatch[] }

/** Asks about one entry. */
export const checkEntry = async (asked: Asked, entry: ScenarioEntry): Promise<Checked> => {
  const { name, address, expect } = entry
  const { answer, failure, refusal } = await answerOf(asked, entry)
  const mismatches: Mismatch[] = failure
    ? [{ name, address, path: '', expected: 200, got: failure, ...(refusal !== undefined && { refusal }) }]
    : Object.entries(expect)
        .map(([path, expected]) => ({ name, address, path, expected, got: fieldAt(answer, path) }))
        .filter(({ expected, got }) => got !== expected)
  const { status = '-', probabilityFraud = '-', forensic_details = {} } = summary.safeParse(answer).data ?? {}
  const flags = Object.keys(forensic_details).filter((flag) => forensic_details[flag] === '1')
  return { status, probability: probabilityFraud, flags, mismatches }
}

/** Lines that name the fields that differ. */
export const mismatchLines = (mismatches: readonly Mismatch[]): string[] =>
  mismatches.map(
    ({ path, expected, got }) =>
      `    ${path || 'answer'}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got) ?? 'nothing'}`,
  )

/**
 * Prints one line per entry and returns every field that differs, none when all is as expected.
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
    if (options.untilRefused && found.some(({ refusal }) => refusal !== undefined)) break
  }
  print(mismatches.length === 0 ? 'Everything is as expected.' : `${mismatches.length} fields differ.`)
  return mismatches
}
