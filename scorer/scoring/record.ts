/** Builds the record's bytes and the stored reasons from a verdict. */
import { z } from 'zod'
import {
  type ForensicDetails,
  probabilityTextOf,
  type SanctionEntry,
  timestampOf,
  type WalletStatus,
} from '../../schema/records/common.ts'
import type { FraudBody } from '../../schema/records/fraud.ts'
import { authorityName } from '../detection/index.ts'
import type { Forensics } from './evaluate-flags.ts'
import { changeOf } from './flags.ts'
import type { Prediction } from './model/model.ts'
import type { Reason } from './verdict.ts'
import type { Wallet } from './wallet.ts'

const BY_HISTORY = 'More history. The value is computed again with every transaction.'

/**
 * Reasons of a verdict, stored with the record and served by /fraud/explain: raised flags first, then the model's contributions.
 * `change` is null for contributions in favour of the wallet.
 */
export const reasonsOf = (forensics: Forensics, prediction: Prediction): Reason[] => [
  ...forensics.raised.flatMap(({ field, by }) =>
    by.map(({ detector, confidence, title, evidence }) => ({
      code: field.toUpperCase(),
      title,
      contribution: null,
      evidence: { detector, confidence, ...evidence },
      change: changeOf(field),
    })),
  ),
  ...prediction.contributions.map(({ code, title, value, contribution, evidence, change }) => ({
    code,
    title,
    contribution: Number(contribution.toFixed(6)),
    evidence: { value: value === null ? null : Number(value.toFixed(6)), ...evidence },
    change: contribution > 0 ? (change ?? BY_HISTORY) : null,
  })),
]

const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/** What a list states about an entry: the listed party, the programmes, a link, and the date of listing. */
const listing = z.object({
  name: z.string().optional().catch(undefined),
  programme: z.string().optional().catch(undefined),
  source: z.string().optional().catch(undefined),
  listed: z.string().refine(isDay).optional().catch(undefined),
})

const listedAs = (evidence: string): z.output<typeof listing> => {
  try {
    return listing.parse(JSON.parse(evidence))
  } catch {
    return {}
  }
}

/** Current listings first, then lifted ones. A wallet that is on no list gets one entry that states it. */
const sanctionData = (wallet: Wallet, checkedAt: number): SanctionEntry[] => {
  const checked = timestampOf(checkedAt)
  const clean: SanctionEntry = {
    category: null,
    name: null,
    description: null,
    url: null,
    isSanctioned: false,
    createdAt: checked,
    updatedAt: checked,
  }
  const entries = wallet.known.listings
    .filter((listing) => listing.list === 'sanctions' && listing.listed_at > 0)
    .sort((a, b) => b.listed - a.listed)
    .map(
      (listing): SanctionEntry => ({
        category: 'sanctions',
        name: 'Sanctions oracle listing',
        description:
          `${listing.network} oracle ${listing.authority} (${authorityName(listing)}), listed in tx ${listing.listed_in} at ${timestampOf(listing.listed_at * 1_000)}` +
          (listing.listed === 1
            ? ''
            : `, removed in tx ${listing.changed_in} at ${timestampOf(listing.changed_at * 1_000)}`),
        url: null,
        isSanctioned: listing.listed === 1,
        createdAt: timestampOf(listing.listed_at * 1_000),
        updatedAt: checked,
      }),
    )
  const imported = wallet.known.labels
    .filter((label) => label.label === 'sanctioned')
    .map((label): SanctionEntry => {
      const { name, programme, source, listed } = listedAs(label.evidence)
      return {
        category: 'sanctions',
        name: name ?? label.detector,
        description:
          `Listed by ${label.detector}, version ${label.detector_version}` +
          (programme === undefined ? '' : `, under ${programme}`),
        url: source !== undefined && /^https?:\/\//.test(source) ? source : null,
        isSanctioned: true,
        createdAt: listed === undefined ? checked : timestampOf(Date.parse(listed)),
        updatedAt: checked,
      }
    })
  const all = [...entries, ...imported]
  return all.some((entry) => entry.isSanctioned) ? all : [clean, ...all]
}

/** Parts of the body of a fraud record. */
type BodyParts = {
  wallet: Wallet
  status: WalletStatus
  /** 0 to 1. */
  probability: number
  details: ForensicDetails
  /** Milliseconds since the epoch. */
  createdAt: number
  computedAt: number
}

/** The stored bytes of the fraud record: everything except walletAddress, checked_times and updatedAt. */
export const bodyOf = ({ wallet, status, probability, details, createdAt, computedAt }: BodyParts): string => {
  const body: FraudBody = {
    message: 'Success',
    chain: wallet.network,
    status,
    probabilityFraud: probabilityTextOf(probability),
    token: null,
    lastChecked: timestampOf(computedAt),
    forensic_details: details,
    sanctionData: sanctionData(wallet, computedAt),
    createdAt: timestampOf(createdAt),
  }
  return JSON.stringify(body)
}
