/** Addresses of the scenario and the expected answers: `scenario.json`. */
import { z } from 'zod'
import { NETWORK_CODES } from '../../schema/networks.ts'

import { type ActorName, type Actors, SHOPPERS, TRADERS, VETERANS, VICTIMS } from './scenario/actors.ts'

/** `expect` maps field paths of the answer, separated by dots, to values. */
const scenarioEntry = z.object({
  name: z.string(),
  network: z.enum(NETWORK_CODES),
  address: z.string(),
  operation: z.enum(['fraud_check', 'fraud_audit', 'rug_pull']),
  expect: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
})
/** An address, the operation to call for it, and the expected fields of the answer. */
export type ScenarioEntry = z.infer<typeof scenarioEntry>
/** Schema of the whole file. */
export const scenario = z.array(scenarioEntry)

type Expectation = ScenarioEntry['expect']

const flagged = (...flags: string[]): Expectation => ({
  status: 'Fraud',
  probabilityFraud: '1.00',
  ...Object.fromEntries(flags.map((flag) => [`forensic_details.${flag}`, '1'])),
})
const clean = (...flags: string[]): Expectation => ({
  status: 'Not Fraud',
  ...Object.fromEntries(flags.map((flag) => [`forensic_details.${flag}`, '0'])),
})

const WALLETS: readonly (readonly [names: readonly ActorName[], expect: Expectation])[] = [
  [VETERANS, clean('sanctioned', 'mixer')],
  [TRADERS, clean('phishing_activities', 'financial_crime', 'honeypot_related_address')],
  [SHOPPERS.slice(0, 4), clean('financial_crime')],
  [['payroll', 'exchange'], clean('money_laundering', 'mixer')],
  [['arbitrage-bot'], clean('stealing_attack', 'financial_crime')],
  [['newcomer'], { status: 'New Address' }],
  [['sanctioned'], { ...flagged('sanctioned'), 'sanctionData.0.isSanctioned': true }],
  [['delisted'], clean('sanctioned')],
  [['frozen'], flagged('blacklist_doubt')],
  [['released'], clean('blacklist_doubt')],
  [['mixer-user'], flagged('mixer')],
  [['mixer-once', 'mixer-dusted'], clean('mixer')],
  [['rug-puller'], flagged('financial_crime')],
  [['honeypot-deployer'], flagged('honeypot_related_address')],
  [['drainer'], flagged('phishing_activities')],
  [VICTIMS, clean('phishing_activities', 'stealing_attack')],
]

/** Expected answers for the wallets of the scenario. */
export const scenarioOf = ({ actors }: { actors: Actors }): ScenarioEntry[] =>
  WALLETS.flatMap(([names, expect]) =>
    names.map((name) => ({
      name,
      network: 'ETH' as const,
      address: actors[name],
      operation: 'fraud_check' as const,
      expect,
    })),
  )
