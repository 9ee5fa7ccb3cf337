/** Answers of the explanations: the evidence of each verdict. They share one structure and differ in the verdict's fields. */

import { z } from 'zod'
import { NETWORK_CODES } from '../../networks.ts'
import {
  chain,
  contractStatus,
  probabilityText,
  successMessage,
  timestamp,
  walletAddress,
  walletStatus,
} from '../common.ts'
import { rugBody } from '../rug.ts'
import { contractCoverage, coverage, walletCoverage } from './coverage.ts'
import { exposure } from './exposure.ts'
import { shownFacts } from './token-facts.ts'

const title = z
  .string()
  .meta({ description: 'The same for people', example: 'Received 42 % of its funds from sanctioned addresses' })
const change = (description: string) => z.string().nullable().meta({ description })
const unknowns = z.array(z.string()).meta({
  description: 'What could not be evaluated, `what: why`; shown as 0',
  example: ['is_honeypot: no market to trade on'],
})

/** An amount in evidence. */
export const amount = z
  .object({
    amount: z
      .string()
      .regex(/^-?\d+(\.\d+)?$/)
      .meta({ description: 'Exact decimal text', example: '14.38' }),
    unit: z
      .string()
      .meta({ description: 'Symbol of the coin; USD; NFT; base units of a token in no registry', example: 'WETH' }),
    usd: z
      .string()
      .regex(/^-?\d+(\.\d+)?$/)
      .nullable()
      .meta({ description: 'In US dollars, to the cent; null where no price is known', example: '28760.00' }),
  })
  .meta({ id: 'Amount', description: 'An amount, exact' })
/** An exact amount in evidence with its unit. Text, because a float would be rounded. */
export type Amount = z.output<typeof amount>

const reason = z
  .object({
    code: z.string().meta({ description: 'Flag in capitals, or the model’s feature', example: 'SANCTIONED' }),
    title,
    contribution: z.number().nullable().meta({
      description: 'Log-odds added to the verdict, negative in favour of the wallet; null for what forces it',
    }),
    evidence: z.record(z.string(), z.unknown()).meta({
      description:
        'Its evidence: transactions, counterparties, times, and amounts of schema Amount; fields differ by reason',
    }),
    change: change('What would take this reason away'),
  })
  .meta({ id: 'Reason', description: 'A reason of a verdict' })

const verdictVersions = {
  modelVersion: z.string().meta({ description: 'Model behind the verdict', example: 'fraud-7' }),
  dataHeight: z.int().meta({ description: 'Newest block the verdict knows', example: 19_001_000 }),
}

const past = z
  .object({
    status: walletStatus,
    probabilityFraud: probabilityText,
    ...verdictVersions,
    computedAt: timestamp,
  })
  .meta({ id: 'PastVerdict', description: 'What the verdict was; one entry for each change' })

const coverageOfWallet = coverage.extend({ wallet: walletCoverage }).nullable().meta({
  id: 'ExplainedWalletCoverage',
  description: 'What of the network and of the wallet is in the tables now; null while that is not known',
})

const label = z
  .object({
    network: z
      .enum(NETWORK_CODES)
      .meta({ description: 'Network it was given on: a label of an account holds for its key on all' }),
    label: z.string().meta({ description: 'The label', example: 'phishing' }),
    source: z.string().meta({ description: 'List or detector it comes from', example: 'ofac' }),
    class: z.enum(['asserted', 'reported', 'detected', 'propagated']).meta({
      description:
        'asserted: by an authority; reported: by a list; detected: by a rule of ours; propagated: from other labels',
    }),
    confidence: z.number().meta({ description: '0 to 1' }),
  })
  .meta({ id: 'AddressLabel', description: 'A label in force' })

const identity = z
  .object({
    name: z.string().nullable().meta({ description: 'What a list or the registry calls it', example: 'Binance 14' }),
    category: z.string().nullable().meta({ description: 'Its category', example: 'exchange' }),
    contract: z
      .boolean()
      .meta({ description: 'Whether its creation, or what it is, is in the tables; false where they do not know' }),
    firstSeen: timestamp.nullable().meta({ description: 'First stored row that names it' }),
    lastSeen: timestamp.nullable().meta({ description: 'Last one' }),
    labels: z.array(label).meta({ description: 'Labels in force' }),
  })
  .meta({
    id: 'Identity',
    description: 'Identity of the address, from lists, detectors, the registry and the tables',
  })
/** Identity of a wallet, by labels. */
export type Identity = z.output<typeof identity>

/** Answer of POST /fraud/explain. */
export const explanation = z
  .object({
    message: successMessage,
    walletAddress,
    chain,
    status: walletStatus,
    probabilityFraud: probabilityText,
    reasons: z.array(reason).meta({ description: 'What forces the verdict first, then by weight' }),
    unknowns,
    identity,
    exposure,
    coverage: coverageOfWallet,
    ...verdictVersions,
    computedAt: timestamp,
    history: z.array(past).meta({ description: 'Newest first, a hundred at most' }),
  })
  .meta({ id: 'FraudExplanation', description: 'The reasons of a fraud verdict' })
/** Answer of POST /fraud/explain: the verdict, its reasons, and what could not be evaluated. */
export type Explanation = z.output<typeof explanation>

/** Maximum number of verdicts in an answer of POST /fraud/history. */
export const MAX_VERDICTS = 20

const keptVerdict = past
  .extend({
    version: z.int().meta({ description: 'Version of the record: milliseconds since the epoch, rising' }),
    hash: z.string().meta({
      description:
        'SHA-256 of the stored verdict, hex: network, address, version, status, probability, model, block, Unix time and the text of its reasons, each on a line',
      example: 'ab'.repeat(32),
    }),
    reasons: z.array(reason).meta({ description: 'What the verdict rested on' }),
  })
  .meta({ id: 'KeptVerdict', description: 'A verdict as it was made' })

/** Answer of POST /fraud/history. */
export const verdictHistory = z
  .object({
    message: successMessage,
    walletAddress,
    chain,
    verdicts: z.array(keptVerdict).meta({
      description: `Newest first, ${MAX_VERDICTS} at most; one for each change of status, flags or rounded probability. With upTo, the first was in force then`,
    }),
    dataHeight: z.int().meta({ description: 'Newest block that the newest of them knows; 0 where there is none' }),
    coverage: coverageOfWallet,
  })
  .meta({ id: 'VerdictHistory', description: 'What the verdict on a wallet was, and why' })
/** Answer of POST /fraud/history, newest verdict first. */
export type VerdictHistory = z.output<typeof verdictHistory>

/** A component of a score that is a sum. */
const component = (id: string, description: string) =>
  z
    .object({
      code: z.string().meta({ description: 'Component in capitals', example: 'EXPERIENCE' }),
      title,
      contribution: z.number().meta({ description: 'Points it adds; negative where it subtracts' }),
      most: z.number().meta({ description: 'Maximum points it adds; 0 for a component that can only subtract' }),
      evidence: z
        .record(z.string(), z.unknown())
        .meta({ description: 'The counted values; `null` where unknown. Amounts are of schema Amount' }),
      change: change('What would raise the score; null where the component is full'),
    })
    .meta({ id, description })

/** Version fields of a verdict. */
const versions = {
  ...verdictVersions,
  computedAt: timestamp,
}

/** Answer of POST /segmentation/explain. */
export const segmentExplanation = z
  .object({
    message: successMessage,
    walletAddress,
    chain,
    walletQuality: z
      .int()
      .min(0)
      .max(100)
      .meta({ description: 'Quality score: the sum of the contributions, rounded' }),
    segment: z.enum(['A', 'B', 'C']).meta({ description: 'Segment that the quality falls into' }),
    thresholds: z
      .object({
        A: z.int().meta({ description: 'Least quality of segment A', example: 70 }),
        B: z.int().meta({ description: 'Least quality of segment B', example: 40 }),
      })
      .meta({ id: 'SegmentThresholds', description: 'Minimum quality of a segment; below all is C' }),
    reasons: z
      .array(component('SegmentReason', 'A component of the quality score, in points of 100'))
      .meta({ description: 'Components, whose sum is the quality' }),
    unknowns,
    coverage: coverageOfWallet,
    ...versions,
  })
  .meta({ id: 'SegmentExplanation', description: 'The components of a wallet’s quality and segment' })
/** Explanation of a segment. */
export type SegmentExplanation = z.output<typeof segmentExplanation>

/** Answer of POST /users/credit-score/explain. */
export const creditExplanation = z
  .object({
    message: successMessage,
    walletAddress,
    chain,
    riskRating: z.int().min(1).max(9).meta({ description: 'Trust: `base` and the sum of the contributions, rounded' }),
    base: z.int().meta({ description: 'Rating of a wallet to which no component adds anything', example: 1 }),
    reasons: z
      .array(component('CreditReason', 'A component of the credit score, in points of the rating'))
      .meta({ description: 'Components, whose sum and `base` are the rating' }),
    unknowns,
    coverage: coverageOfWallet,
    ...versions,
  })
  .meta({ id: 'CreditExplanation', description: 'The components of a wallet’s credit score' })
/** Explanation of a credit score. */
export type CreditExplanation = z.output<typeof creditExplanation>

const rugReason = z
  .object({
    score: z
      .enum(['risk_score', 'probabilityFraud'])
      .meta({ description: 'risk_score: what the code allows; probabilityFraud: how likely a rug pull is' }),
    code: z.string().meta({ description: 'Indicator or sign', example: 'is_honeypot' }),
    title,
    contribution: z.number().meta({
      description:
        'risk_score: points, whose sum is the score. probabilityFraud: the probability from this sign alone, 0 to 1; signs are combined as independent ones',
    }),
    evidence: z
      .object({
        findings: z
          .array(z.string())
          .meta({ description: 'Calls, trades and addresses that show it', example: ['a sale of 1 % reverts'] }),
        amounts: z
          .array(
            amount
              .extend({
                address: z.string().meta({
                  description: 'Account that moved it',
                  example: '0x983fd7447391bbae599ac38ea06cd9d60c89fbb6',
                }),
                transaction: z.string().meta({ description: 'In which transaction', example: `0x${'5a'.repeat(32)}` }),
              })
              .meta({ id: 'MovedAmount', description: 'An amount moved by an account' }),
          )
          .meta({ description: 'Moved amounts with account and transaction' }),
      })
      .meta({ id: 'RugEvidence', description: 'What the reason rests on' }),
    change: change('What would take this reason away'),
  })
  .meta({ id: 'RugReason', description: 'Why a contract is judged as it is' })

const coverageOfContract = coverage.extend({ contract: contractCoverage }).nullable().meta({
  id: 'ExplainedContractCoverage',
  description: 'What of the network and of the contract is known; null while the former is not',
})

/** Answer of POST /rug/explain. */
export const rugExplanation = z
  .object({
    message: successMessage,
    contractAddress: z.string().meta({
      description: 'Contract analysed, in the spelling of the request',
      example: '0x91dba2cd05c8a0227b48c3e426077145d23b21df',
    }),
    chain,
    status: contractStatus,
    probabilityFraud: z.number().min(0).max(1).meta({ description: 'Probability of a rug pull', format: 'float' }),
    risk_score: z.int().meta({ description: 'Internal risk score' }),
    risk_status: z.string().meta({ description: 'Qualitative label', example: 'High Risk' }),
    reasons: z
      .array(rugReason)
      .meta({ description: 'Those of the risk score, then those of the probability; by weight' }),
    unknowns,
    labels: z.array(label).meta({ description: 'Labels in force of the token, such as fake_token or phishing' }),
    ...shownFacts,
    coverage: coverageOfContract,
    ...versions,
  })
  .meta({ id: 'RugExplanation', description: 'The reasons of a rug pull verdict' })
/** Explanation of the verdict on a contract. */
export type RugExplanation = z.output<typeof rugExplanation>

const keptRugVerdict = z
  .object({
    version: z.int().meta({ description: 'Version of the record: milliseconds since the epoch, rising' }),
    hash: z.string().meta({
      description:
        'SHA-256 of the stored verdict, hex: network, address, version, status, probability, risk score, model, block, Unix time, and the stored texts of record, reasons and unknowns, each on a line',
      example: 'ab'.repeat(32),
    }),
    status: contractStatus,
    probabilityFraud: z.number().min(0).max(1).meta({ description: 'Probability of a rug pull', format: 'float' }),
    risk_score: z.int().meta({ description: 'Internal risk score' }),
    risk_status: z.string().meta({ description: 'Qualitative label', example: 'High Risk' }),
    reasons: z.array(rugReason).meta({ description: 'What the verdict rested on' }),
    unknowns,
    record: rugBody.omit({ message: true }).meta({
      id: 'KeptContractRecord',
      description: 'The record as it was answered then, without what differs from answer to answer',
    }),
    ...versions,
  })
  .meta({ id: 'KeptContractVerdict', description: 'A verdict on a contract as it was made' })

/** Answer of POST /rug/history. */
export const rugHistory = z
  .object({
    message: successMessage,
    contractAddress: z.string().meta({
      description: 'Requested contract, in the spelling of the request',
      example: '0x91dba2cd05c8a0227b48c3e426077145d23b21df',
    }),
    chain,
    verdicts: z.array(keptRugVerdict).meta({
      description: `Newest first, ${MAX_VERDICTS} at most; one for each change of status, scores or indicators. With upTo, the first was in force then`,
    }),
    dataHeight: z.int().meta({ description: 'Newest block that the newest of them knows; 0 where there is none' }),
    coverage: coverageOfContract,
  })
  .meta({ id: 'RugHistory', description: 'What the verdict on a contract was, and why' })
/** Earlier verdicts on a contract, newest first. */
export type RugHistory = z.output<typeof rugHistory>
