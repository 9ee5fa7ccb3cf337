/**
 * The category that a wallet's funds have for their receivers: the gravest among its raised flags. Authorities, labels and the
 * wallet's own acts raise flags, never its income, so blame cannot go in circles. Excluded are habits (mixers) and payments
 * to dark-web services, which do not make funds stolen.
 */
import { gravestOf } from '../ledger/exposure/attribution.ts'
import { LEAST_SHARE } from '../ledger/exposure/inflow.ts'
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

/** Detectors whose findings concern the wallet's counterparties rather than harm it did. */
const ABOUT_OTHERS = new Set(['darknet-payment'])

/**
 * Transfers between a wallet and the nearest offence its funds come from; 0 if receivers need not look further. Traces end at services:
 * an exchange that a thief once used does not taint its customers.
 */
export const offenceHopsOf = ({ inflow, service }: Pick<Wallet, 'inflow' | 'service'>): number =>
  inflow === undefined || service || inflow.peak < LEAST_SHARE ? 0 : inflow.hops

const isFlag = (field: string): field is FlagName => Object.hasOwn(OF_FLAG, field)

/** The category, or an empty text. */
export const offenceOf = ({ raised }: Pick<Forensics, 'raised'>): string =>
  gravestOf(
    raised.flatMap(({ field, by }) => {
      const category = isFlag(field) ? OF_FLAG[field] : undefined
      return category !== undefined && by.some(({ detector }) => !ABOUT_OTHERS.has(detector)) ? [category] : []
    }),
  ) ?? ''
