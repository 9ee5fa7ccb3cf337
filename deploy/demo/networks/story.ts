/** What a short story on the test node of a network is: where the node listens, how far its chain is, and what is expected of whom. */
import type { Network } from '../../../schema/networks.ts'
import type { ScenarioEntry } from '../expectations.ts'

/** A story that was played: an index of blocks `from` to `to` must come to its expectations. */
export type NetworkStory = {
  network: Network
  /** Where the node listens. */
  url: string
  /** First and last block of the story. */
  from: number
  to: number
  entries: ScenarioEntry[]
  stop: () => Promise<void>
}

/** Plays the story of a network up to now. A node that was started when `signal` aborts is stopped. */
export type PlayStory = (network: Network, signal?: AbortSignal) => Promise<NetworkStory>

type Expectation = ScenarioEntry['expect']

/** A day, s. */
export const DAY = 86_400
/** When a story of so many days has to begin to end about now, Unix seconds. */
export const daysAgo = (days: number): number => Math.floor(Date.now() / 1_000) - days * DAY

/** A fraud with flags. */
export const fraud = (...flags: string[]): Expectation => ({
  status: 'Fraud',
  ...Object.fromEntries(flags.map((flag) => [`forensic_details.${flag}`, '1'])),
})
/** Somebody who looks alike and is left alone. */
export const honest = (...flags: string[]): Expectation => ({
  status: 'Not Fraud',
  ...Object.fromEntries(flags.map((flag) => [`forensic_details.${flag}`, '0'])),
})
/** An entry of the story, about a fraud check unless another operation is named. */
export const asking = (
  network: Network,
  name: string,
  address: string,
  expect: Expectation,
  operation: ScenarioEntry['operation'] = 'fraud_check',
): ScenarioEntry => ({ name, network, address, operation, expect })
