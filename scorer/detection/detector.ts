/**
 * The contract of a detector: an object that states the offence it finds, the coverage it needs, the exclusions it makes and
 * its confidence. `scorer/scoring/flags.ts` decides how findings affect a record.
 */
import type { Network } from '../../schema/networks.ts'
import type { LogCoverage } from '../ledger/authorities/coverage.ts'
import type { WalletFeatures } from '../ledger/features/wallet.ts'
import type { Known } from '../ledger/labels/known.ts'
import type { Past } from '../ledger/past/past.ts'
import type { LoadContext } from './context.ts'
import type { Need } from './coverage.ts'
import type { Stated } from './evidence.ts'

/** Kinds of offence. A detector's folder is inside the folder of its family; the documentation depends on it. */
export const FAMILIES = ['theft', 'deceit', 'markets', 'laundering', 'authorities', 'contracts'] as const
type Family = (typeof FAMILIES)[number]

/** What is known of the judged wallet in addition to what the detector loaded. */
export type Subject = {
  network: Network
  /** Canonical. */
  address: string
  features: WalletFeatures
  known: Known
  /** Which logs of authorities are known from their first block on. */
  logs: LogCoverage
  /** What is known of the wallet before the first covered block. Absent means everything is known. */
  past?: Past
  /** First covered block if the index of the network begins after genesis. */
  late?: number | undefined
}

/**
 * One offence of the wallet. `grade` selects the detector's confidence. `title` is a sentence about the wallet for the reader
 * of a report, without its subject: `Drained 4 wallets that had approved it`.
 */
export type Finding<Grade extends string = string> = {
  grade: Grade
  title: string
  evidence: Record<string, unknown>
}

/** A malicious contract and the label it gets. */
export type MaliciousContract = { contract: string; label: string }

/**
 * The answer of a detector about a wallet. `suspected` is not enough to raise a flag; it only feeds the model. `unknown` is
 * never read as clear. `uncovered`: data that the rule needs exists but was not read, so the flag is not clear even if
 * other detectors answer `clear`.
 */
export type Answer<Grade extends string = string> =
  | { kind: 'convicted' | 'suspected'; findings: Finding<Grade>[] }
  | { kind: 'clear' }
  | { kind: 'unknown'; why: string; uncovered?: true }

/** Innocent conduct that resembles the offence, and what distinguishes it. */
export type Exclusion = { who: string; why: string }

/** How a finding depends on the past of other parties. Required for detectors that need `past-of-others`. */
export type Others<Found> = {
  /** Whether the detector can apply to the wallet at all. If not, the past of others does not matter. */
  concerns(wallet: WalletFeatures): boolean
  /** Parties whose past could refute the finding. */
  parties(found: Found): string[]
  /** The part of `found` that holds if only parties with a known past count: the same object for all of it, `undefined` for none. */
  proven(found: Found, known: (address: string) => boolean, address: string): Found | undefined
}

/** What the documentation prints about a detector (deploy/docs/detector-docs.ts). */
type DetectorDoc = {
  /** The offence in one sentence. */
  summary: string
  /** Conditions of a conviction, one fact an entry. */
  takes: readonly string[]
  /** What the detector cannot see, one fact an entry. */
  cannotSee: readonly string[]
}

/** Loaded results of other detectors. Throws for a detector that is not declared in `after`. */
export type Results = {
  of: <Found>(detector: Pick<Detector<Found>, 'id' | 'load'>) => Promise<ReadonlyMap<string, Found>>
}

/** A rule that finds one offence. `load` queries a whole batch at once; `judge` is pure. */
export type Detector<Found = unknown, Id extends string = string, Grade extends string = string> = {
  /** As written in `data_source`, in evidence and in labels. Never changes. */
  id: Id
  /** Incremented with every change of the rule. */
  version: number
  family: Family
  offence: string
  needs: readonly Need[]
  /** Detectors whose results it reads. */
  after: readonly { readonly id: string }[]
  /**
   * How public infrastructure (exchanges, routers, launchpads) is treated. `exempt`: conduct of its users proves nothing against
   * it. `unknown`: a finding is reported as unknown. `judged`: like any other wallet, as with listings by authorities.
   */
  infrastructure: 'exempt' | 'unknown' | 'judged'
  /** Loads what the rule needs for a batch of wallets, by address. Absent if the subject already holds everything. */
  load?(context: LoadContext, results: Results): Promise<ReadonlyMap<string, Found>>
  /** Pure. `found` is undefined for wallets that `load` returned nothing for. */
  judge(found: Found | undefined, subject: Subject): Answer<Grade>
  others?: Others<Found>
  /** Malicious contracts that the finding proves the wallet to have made. */
  contracts?(found: Found): MaliciousContract[]
  exclusions: readonly Exclusion[]
  /** Confidence of each grade of finding, 0 to 1. */
  confidence: Readonly<Record<Grade, number>>
  doc: DetectorDoc
}

/** Infers the types of a detector from its declaration. */
export const defineDetector = <const Id extends string, Found, const Grade extends string>(
  detector: Detector<Found, Id, Grade>,
): Detector<Found, Id, Grade> => detector

/** The matching items: the same list if all match, `undefined` if none does. */
export const keepMatching = <Item>(items: Item[], holds: (item: Item) => boolean): Item[] | undefined => {
  const some = items.filter(holds)
  return some.length === items.length ? items : some.length > 0 ? some : undefined
}

/** The answer about a wallet that was covered completely and has no finding. */
export const CLEAR = { kind: 'clear' } as const

/** A finding whose evidence states amounts exactly. */
type Proof<Grade extends string, Evidence> = Omit<Finding<Grade>, 'evidence'> & {
  evidence: Evidence & Stated<Evidence>
}

/** Convicts on the findings; clear if there are none. */
export const convicted = <Grade extends string, Evidence extends object>(
  findings: readonly Proof<Grade, Evidence>[],
): Answer<Grade> => (findings.length === 0 ? CLEAR : { kind: 'convicted', findings: findings.map(asFinding) })

/** Suspects on the findings; clear if there are none. */
export const suspected = <Grade extends string, Evidence extends object>(
  findings: readonly Proof<Grade, Evidence>[],
): Answer<Grade> => (findings.length === 0 ? CLEAR : { kind: 'suspected', findings: findings.map(asFinding) })

const asFinding = <Grade extends string, Evidence extends object>({
  evidence,
  ...finding
}: Proof<Grade, Evidence>): Finding<Grade> => ({ ...finding, evidence: { ...evidence } })
