/**
 * `assay demo --networks`: plays a short scenario on a test node of each network. Indexer, scorer and API run in this process,
 * with a data folder that is removed at the end.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, loadConfig } from '../../../platform/config/config.ts'
import type { Context } from '../../../platform/context/context.ts'
import { BugError } from '../../../platform/errors.ts'
import type { AddressFamily } from '../../../schema/networks/families.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { createContext } from '../../process/process.ts'
import { startApi } from '../../roles/api.ts'
import { startRole } from '../../roles/start.ts'
import { type ApiAccess, type CheckResult, checkEntry, mismatchLines } from '../check.ts'
import type { ScenarioEntry } from '../expectations.ts'
import { pollUntilExpected } from '../polling.ts'
import { playEvm } from './evm.ts'
import type { NetworkScenario, PlayScenario } from './scenario.ts'
import { playSolana } from './solana.ts'
import { playTon } from './ton.ts'
import { playTron } from './tron.ts'

const KEY = 'enterprise-key-of-the-demonstration'
const DEADLINE_MS = 90_000
const POLL_MS = 300

const SCENARIOS: Record<AddressFamily, PlayScenario> = {
  evm: playEvm,
  solana: playSolana,
  tron: playTron,
  ton: playTon,
}

/** Plays the scenario of a network on a test node of its family. */
export const playScenario: PlayScenario = (network, signal) => SCENARIOS[networkInfo(network).family](network, signal)

/** Plays the scenarios concurrently. If one fails, all end. */
const playScenarios = async ({ lifecycle }: Context, networks: readonly Network[]): Promise<NetworkScenario[]> => {
  const starting = networks.map(async (network) => {
    const scenario = await playScenario(network, lifecycle.signal)
    lifecycle.onClose(`node of ${network}`, scenario.stop)
    return scenario
  })
  await Promise.allSettled(starting)
  return Promise.all(starting)
}

const configured = (scenarios: readonly NetworkScenario[], folder: string): Config =>
  loadConfig({
    ASSAY_DATA: folder,
    ASSAY_PORT: '0',
    ASSAY_PLAIN_HTTP: 'true',
    ASSAY_LOG_LEVEL: process.env.ASSAY_LOG_LEVEL ?? 'error',
    ASSAY_BOOTSTRAP_KEYS: `enterprise:${KEY}`,
    ...Object.fromEntries(
      scenarios.flatMap(({ network, url, from }) => [
        [`${network}_RPC_URL`, url],
        [`${network}_START_BLOCK`, String(from)],
      ]),
    ),
  })

/** Starts all roles, each with its own context, which closes with the given one. */
const startRoles = async (context: Context, config: Config) => {
  const open = (role: string) => {
    const own = createContext(config, role)
    context.lifecycle.onClose(role, async () => {
      await own.lifecycle.close()
    })
    return own
  }
  const api = await startApi(open('api'), config)
  const scorer = await startRole('scorer', open('scorer'), config)
  const indexer = await startRole('indexer', open('indexer'), config)
  const ended = Promise.race([api.done, scorer.done, indexer.done])
  ended.catch(() => undefined)
  return { api, url: api.urls[0] ?? '', ended }
}

type Running = Awaited<ReturnType<typeof startRoles>>

/** Waits until all blocks of a scenario are stored. @throws BugError ASSAY_DEMO_STEP_FAILED if a part of it stops or the deadline passes */
const stored = async (
  { clock, lifecycle }: Context,
  { api }: Running,
  { network, to }: NetworkScenario,
): Promise<void> => {
  const deadline = clock.now() + DEADLINE_MS
  for (;;) {
    const status = (await api.status()).find((one) => one.network === network)
    if ((status?.stored ?? -1) >= to) return
    const stopped = status?.parts.find(({ state }) => state === 'stopped')
    if (stopped || clock.now() > deadline) {
      const why = stopped ? `${stopped.part} stopped: ${stopped.error?.message}` : `it is at block ${status?.stored}`
      throw new BugError(
        'ASSAY_DEMO_STEP_FAILED',
        `The scenario of ${network} did not reach block ${to}: ${why}. The demonstration stopped. Report it.`,
      )
    }
    await clock.sleep(POLL_MS, lifecycle.signal)
  }
}

/** Repeats the request until the answer is as expected or the time is up. */
const verdictOn = (context: Context, access: ApiAccess, entry: ScenarioEntry): Promise<CheckResult> =>
  pollUntilExpected(context, POLL_MS, () => checkEntry(access, entry))

/**
 * Plays the scenarios and prints a line for every actor. Returns the fields that differ from the expected values.
 * @param say prints a line to the terminal
 * @throws OperatorError ASSAY_DEMO_ANVIL_MISSING
 * @throws BugError ASSAY_DEMO_STEP_FAILED
 */
export const playNetworks = async (
  context: Context,
  networks: readonly Network[],
  say: (line?: string) => void,
): Promise<CheckResult['mismatches']> => {
  const { clock, lifecycle } = context
  const startedAt = clock.now()
  say(`Playing a short scenario on a test node of each network: ${networks.join(', ')}.`)
  const folder = mkdtempSync(join(tmpdir(), 'assay-demo-'))
  lifecycle.onClose('folder', () => rmSync(folder, { recursive: true, force: true }))
  const scenarios = await playScenarios(context, networks)
  lifecycle.signal.throwIfAborted()
  const running = await startRoles(context, configured(scenarios, folder))
  const access = { apiUrl: running.url, key: KEY }
  const mismatches: CheckResult['mismatches'] = []
  const shown = async () => {
    for (const scenario of scenarios) {
      await stored(context, running, scenario)
      say(`\n${scenario.network}  ${scenario.to - scenario.from + 1} blocks`)
      for (const entry of scenario.entries) {
        const { status, flags, mismatches: found } = await verdictOn(context, access, entry)
        const mark = found.length === 0 ? 'ok ' : 'NO '
        say(`  ${mark} ${entry.name.padEnd(9)} ${entry.address.padEnd(48)}  ${status.padEnd(10)}  ${flags.join(', ')}`)
        for (const line of mismatchLines(found)) say(line)
        mismatches.push(...found)
      }
    }
  }
  await Promise.race([shown(), running.ended.then(() => new Promise<never>(() => undefined))])
  const seconds = ((clock.now() - startedAt) / 1_000).toFixed(1)
  say(
    mismatches.length === 0
      ? `\nEverything is as expected, after ${seconds} s.`
      : `\n${mismatches.length} fields differ from the expected values.`,
  )
  return mismatches
}
