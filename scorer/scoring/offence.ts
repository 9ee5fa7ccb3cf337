/**
 * As what a wallet's money is known to those who receive it: the gravest category among the flags that were raised. Flags are raised by
 * authorities, labels and the wallet's own acts, never by what it received, so that blame cannot go round in a circle. What is
 * left out: habits (mixers), and having paid a dark-web service, which makes nobody's money stolen.
 */
import { gravestOf } from '../ledger/exposure/attribution.ts'
import type { Forensics } from './evaluate-flags.ts'
import type { FlagName } from './flags.ts'
import type { Wallet } from './wallet.ts'

const OF_FLAG: Partial<Record<FlagName, string>> = {
  sanctioned: 'sanctioned',
  stealing_attack: 'stolen',
  blackmail_activities: 'blackmail',
  darkweb_transactions: 'darknet',
  phishing_activities: 'phishing',
  financial_crime: 'scam',
  honeypot_related_address: 'scam',
  fake_token: 'scam',
  fake_standard_interface: 'scam',
  malicious_mining_activities: 'scam',
  cybercrime: 'cybercrime',
  money_laundering: 'laundering',
  blacklist_doubt: 'frozen',
}

/** Detectors whose findings are about whom the wallet dealt with, not about what it did to anybody. */
const ABOUT_OTHERS = new Set(['darknet-payment'])

/** What those who are paid by a wallet get of an offence is at most the part that the wallet has; below this it counts for nothing. */
const LEAST_SHARE = 0.01

/**
 * Transfers between a wallet and the nearest offence its money comes from, for those it paid; 0 where there is nothing for them to look
 * at. Traces end at services, so that an exchange which a thief once used is no sign for all its customers.
 */
export const offenceHopsOf = ({ inflow, service }: Pick<Wallet, 'inflow' | 'service'>): number =>
  inflow === undefined || service || inflow.share < LEAST_SHARE ? 0 : inflow.hops

const isFlag = (field: string): field is FlagName => Object.hasOwn(OF_FLAG, field)

/** Empty where the wallet's money is known as nothing bad. */
export const offenceOf = ({ raised }: Pick<Forensics, 'raised'>): string =>
  gravestOf(
    raised.flatMap(({ field, by }) => {
      const category = isFlag(field) ? OF_FLAG[field] : undefined
      return category !== undefined && by.some(({ detector }) => !ABOUT_OTHERS.has(detector)) ? [category] : []
    }),
  ) ?? ''
