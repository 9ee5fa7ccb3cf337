/** Types and expectations of the short scenarios, one for each network. */
import type { Network } from '../../../schema/networks.ts'
import type { ScenarioEntry } from '../expectations.ts'

/** A scenario that was played. After blocks `from` to `to` are indexed, all `entries` must hold. */
export type NetworkScenario = {
  network: Network
  /** URL of the node. */
  url: string
  /** First and last block of the scenario. */
  from: number
  to: number
  entries: ScenarioEntry[]
  stop: () => Promise<void>
}

/** Plays the scenario of a network up to now. When `signal` aborts, its node is stopped. */
export type PlayScenario = (network: Network, signal?: AbortSignal) => Promise<NetworkScenario>

type Expectation = ScenarioEntry['expect']

/** A day, s. */
export const DAY = 86_400
/** The time this many days ago, Unix seconds. */
export const daysAgo = (days: number): number => Math.floor(Date.now() / 1_000) - days * DAY

/** Expects `Fraud` with these flags. */
export const fraud = (...flags: string[]): Expectation => ({
  status: 'Fraud',
  ...Object.fromEntries(flags.map((flag) => [`forensic_details.${flag}`, '1'])),
})
/** Expects `Not Fraud` without these flags. */
export const honest = (...flags: string[]): Expectation => ({
  status: 'Not Fraud',
  ...Object.fromEntries(flags.map((flag) => [`forensic_details.${flag}`, '0'])),
})
/** An expected answer about an address, by default to a fraud check. */
export const entry = (
  network: Network,
  name: string,
  address: string,
  expect: Expectation,
  operation: ScenarioEntry['operation'] = 'fraud_check',
): ScenarioEntry => ({ name, network, address, operation, expect })
