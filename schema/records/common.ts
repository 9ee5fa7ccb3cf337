/**
 * Parts shared by several records, exactly as in the public contract. Validation, types, OpenAPI, skill schemas and tests
 * derive from these schemas; `.meta` texts are the published documentation.
 */
import { z } from 'zod'
import { NETWORK_CODES } from '../networks.ts'

/** ISO 8601 in UTC, e.g. `2026-05-04T12:00:00.000Z`. */
export const timestamp = z.iso
  .datetime()
  .meta({ description: 'ISO 8601 date-time in UTC', example: '2026-05-04T12:00:00.000Z' })

/** Formats a time as in records: whole seconds, UTC. `ms` are milliseconds since the epoch. */
export const timestampOf = (ms: number): string => new Date(Math.floor(ms / 1_000) * 1_000).toISOString()

/** Network of an answer, as in `NETWORK_CODES`. */
export const chain = z.enum(NETWORK_CODES).meta({ description: 'Network code', example: 'ETH' })

/** Field `message` of every answer with status 200. */
export const successMessage = z.literal('Success').meta({ description: 'Result status message', example: 'Success' })

/** Field `walletAddress` of answers, in the caller's notation. */
export const walletAddress = z.string().meta({
  description: 'Address analysed, in the spelling of the request',
  example: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
})

/** Wallet verdicts. Contracts only have the first two. */
export const walletStatus = z.enum(['Not Fraud', 'Fraud', 'New Address']).meta({
  description: 'Fraud when the probability is 0.5 or more; New Address when there is too little history to judge',
  example: 'Not Fraud',
})
/** Verdict on a wallet: `Fraud` from a probability of 0.5 on, `New Address` with too little history. */
export type WalletStatus = z.output<typeof walletStatus>

/** Verdict on a contract: `Fraud` from a probability of 0.5 on. */
export const contractStatus = z
  .enum(['Not Fraud', 'Fraud'])
  .meta({ description: 'Fraud when the probability is 0.5 or more', example: 'Not Fraud' })

/** A probability as decimal text, to keep all digits. */
export const probabilityText = z
  .string()
  .regex(/^(0\.\d{2,10}|1\.0{2,10})$/)
  .meta({
    description:
      'Probability of fraud, decimal text from 0.00 to 1.00: low up to 0.15, elevated up to 0.50, high up to 0.75, very high above. Two to ten decimals: they distinguish verdicts, but the model is only exact to two',
    example: '0.0421858616',
  })

/** Formats a probability (0 to 1) as in wallet records: 2 to 10 decimals, no trailing zeros beyond two, no exponent. */
export const probabilityTextOf = (probability: number): string => {
  const fixed = Math.min(Math.max(probability, 0), 1).toFixed(10)
  return fixed.replace(/0{1,8}$/, '')
}

const flagText = (description: string) => z.enum(['0', '1']).meta({ description, example: '0' })

/** The 19 fields of a wallet's forensic_details, all text. */
export const forensicDetails = z
  .object({
    cybercrime: flagText('Takes part in cybercrime'),
    money_laundering: flagText('Moves proceeds through laundering patterns'),
    number_of_malicious_contracts_created: z
      .string()
      .regex(/^\d+$/)
      .meta({ description: 'Malicious contracts deployed, a count as text', example: '0' }),
    gas_abuse: flagText('Makes others pay gas by deceit'),
    financial_crime: flagText('Takes part in financial crime'),
    darkweb_transactions: flagText('Deals with dark-web services'),
    reinit: flagText('Deployed contracts that can be initialised again'),
    phishing_activities: flagText('Takes part in phishing'),
    fake_kyc: flagText('Uses or sells false identities'),
    blacklist_doubt: flagText('Frozen or blacklisted by an issuer'),
    fake_standard_interface: flagText('Deployed contracts that fake a token standard'),
    data_source: z.string().meta({ description: 'Source of the forensic data; may be empty', example: '' }),
    stealing_attack: flagText('Takes part in theft'),
    blackmail_activities: flagText('Takes part in blackmail'),
    sanctioned: flagText('On a sanctions list'),
    malicious_mining_activities: flagText('Takes part in malicious mining'),
    mixer: flagText('Is, or habitually uses, a mixer'),
    fake_token: flagText('Deployed a token that passes for another'),
    honeypot_related_address: flagText('Tied to honeypot contracts'),
  })
  .meta({ id: 'WalletForensicDetails', description: 'Forensic flags, 0 or 1 as text' })
/** The flags of a wallet: 0 or 1 as text, except one that is a count. */
export type ForensicDetails = z.output<typeof forensicDetails>

/** One listing of an address. Fields that the list does not state are null. */
export const sanctionEntry = z
  .object({
    category: z.string().nullable().optional().meta({ description: 'Kind of list', example: 'sanctions' }),
    name: z.string().nullable().optional().meta({ description: 'Listed party', example: null }),
    description: z.string().nullable().optional().meta({ description: 'Text of the listing', example: null }),
    url: z.string().nullable().optional().meta({ description: 'Where the listing is published', example: null }),
    isSanctioned: z.boolean().meta({ description: 'Whether the listing is in force', example: false }),
    createdAt: timestamp.optional(),
    updatedAt: timestamp.optional(),
  })
  .meta({
    id: 'SanctionEntry',
    description: 'One sanctions finding. A clean wallet has one entry with isSanctioned false',
  })
/** One listing of an address, as in fraud records. */
export type SanctionEntry = z.output<typeof sanctionEntry>

/** Listings of an address; empty if there are none. */
export const sanctionData = z.array(sanctionEntry).meta({ description: 'Sanctions findings' })

/** Field `token` of records, null if a record has no reference. */
export const token = z
  .string()
  .nullable()
  .meta({ description: 'Internal token reference, if applicable', example: null })

/** ISO 8601 time of the computation, not of the answer. */
export const lastChecked = timestamp.meta({
  description: 'When the score was last computed',
  example: '2026-05-04T12:00:00.000Z',
})
/** ISO 8601 time of the first computation for an address. */
export const createdAt = timestamp.meta({ description: 'First profiled', example: '2026-01-20T08:30:00.000Z' })

/** Number of answers about an address, from 1; topic `served` adds them up over all processes. */
export const checkedTimes = z
  .int()
  .min(1)
  .meta({ description: 'How often this address has been analysed for callers, this answer included', example: 3 })
