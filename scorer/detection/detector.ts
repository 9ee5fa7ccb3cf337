/**
 * The contract of a detector: one object that states which offence it finds, what it has to see before it can speak, whom
 * it leaves alone, and how sure it is. What its findings do to a record is decided elsewhere (`scorer/scoring/flags.ts`).
 */
import type { Network } from '../../schema/networks.ts'
import type { LogCoverage } from '../ledger/authorities/coverage.ts'
import type { WalletFeatures } from '../ledger/features/wallet.ts'
import type { Known } from '../ledger/labels/known.ts'
import type { Past } from '../ledger/past/past.ts'
import type { LoadContext } from './context.ts'
import type { Need } from './coverage.ts'
import type { Stated } from './evidence.ts'

/** Kinds of offence. The folder of a detector stands in that of its family, where the documentation looks for it. */
export const FAMILIES = ['theft', 'deceit', 'markets', 'laundering', 'authorities', 'contracts'] as const
type Family = (typeof FAMILIES)[number]

/** What is known of the wallet that a detector judges, beside what the detector loaded itself. */
export type Subject = {
  network: Network
  /** Canonical. */
  address: string
  features: WalletFeatures
  known: Known
  /** Which logs of authorities are known from their first block on. */
  logs: LogCoverage
  /** Whether it did anything before the first covered block. Everything is known where this is left out. */
  past?: Past
  /** First covered block of a network whose index begins late. */
  late?: number | undefined
}

/**
 * One thing the wallet did. `grade` names the confidence that the detector declares for it. `title` is a sentence about the
 * wallet for the reader of a report, its subject left out: `Drained 4 wallets that had approved it`.
 */
export type Finding<Grade extends string = string> = {
  grade: Grade
  title: string
  evidence: Record<string, unknown>
}

/** A malicious contract that a finding is about, with the label it deserves. */
export type MaliciousContract = { contract: string; label: string }

/**
 * What a detector answers about a wallet. `suspected` is too little to convict on and counts as a feature only; `unknown`
 * is never read as clean. `uncovered`: what it would take exists and was not read, so that the flag is not clear whatever
 * other detectors answer.
 */
export type Answer<Grade extends string = string> =
  | { kind: 'convicted' | 'suspected'; findings: Finding<Grade>[] }
  | { kind: 'clear' }
  | { kind: 'unknown'; why: string; uncovered?: true }

/** An innocent conduct that resembles the offence, and what tells it apart. */
export type Exclusion = { who: string; why: string }

/** What a finding owes to the past of other parties; for detectors that need `past-of-others`. */
export type Others<Found> = {
  /** Whether it can be about the wallet at all: of other wallets, nobody else's past matters. */
  concerns(wallet: WalletFeatures): boolean
  /** Those whose past could speak against what was found. */
  parties(found: Found): string[]
  /** What is left of it when only parties with a known past count: the same object for all of it, `undefined` for nothing. */
  proven(found: Found, known: (address: string) => boolean, address: string): Found | undefined
}

/** What the documentation of detectors prints of one (deploy/docs/detector-docs.ts). */
type DetectorDoc = {
  /** What the offence is, in one sentence. */
  summary: string
  /** What it takes to be convicted, one fact an entry. */
  takes: readonly string[]
  /** What the detector cannot see, one fact an entry. */
  cannotSee: readonly string[]
}

/** Loaded results of other detectors; asking for one that is not declared in `after` is a mistake of the program. */
export type Results = {
  of: <Found>(detector: Pick<Detector<Found>, 'id' | 'load'>) => Promise<ReadonlyMap<string, Found>>
}

/**
 * A rule that finds one offence. Loading and judging are apart, so that one query serves a batch and the rule itself is
 * pure.
 */
export type Detector<Found = unknown, Id extends string = string, Grade extends string = string> = {
  /** As written in `data_source`, in evidence and in labels: never changes. */
  id: Id
  /** Rises with every change of the rule. */
  version: number
  family: Family
  offence: string
  needs: readonly Need[]
  /** Detectors whose results it reads. */
  after: readonly { readonly id: string }[]
  /**
   * What it makes of public infrastructure (exchanges, routers, launchpads). `exempt`: what others do through it proves
   * nothing. `unknown`: the finding is reported, and convicts nobody. `judged`: an authority's word counts for it too.
   */
  infrastructure: 'exempt' | 'unknown' | 'judged'
  /** Reads what the rule rests on for a batch of wallets, by address. Absent where everything is in the subject already. */
  load?(context: LoadContext, results: Results): Promise<ReadonlyMap<string, Found>>
  /** Pure. `found` is undefined for wallets that `load` has nothing about. */
  judge(found: Found | undefined, subject: Subject): Answer<Grade>
  others?: Others<Found>
  /** Malicious contracts that what was found proves the wallet to have made. */
  contracts?(found: Found): MaliciousContract[]
  exclusions: readonly Exclusion[]
  /** Confidence of each grade of finding, 0 to 1. */
  confidence: Readonly<Record<Grade, number>>
  doc: DetectorDoc
}

/** Types a detector by what it declares. */
export const defineDetector = <const Id extends string, Found, const Grade extends string>(
  detector: Detector<Found, Id, Grade>,
): Detector<Found, Id, Grade> => detector

/** Items that hold: the same list where all do, and nothing where none does. */
export const kept = <Item>(items: Item[], holds: (item: Item) => boolean): Item[] | undefined => {
  const some = items.filter(holds)
  return some.length === items.length ? items : some.length > 0 ? some : undefined
}

/** The answer about a wallet of which everything was seen and nothing was found. */
export const CLEAR = { kind: 'clear' } as const

/** A finding whose evidence states amounts exactly. */
type Proof<Grade extends string, Evidence> = Omit<Finding<Grade>, 'evidence'> & {
  evidence: Evidence & Stated<Evidence>
}

/** Convicted of the findings; clear where there are none. */
export const convicted = <Grade extends string, Evidence extends object>(
  findings: readonly Proof<Grade, Evidence>[],
): Answer<Grade> => (findings.length === 0 ? CLEAR : { kind: 'convicted', findings: findings.map(asFinding) })

/** Suspected because of the findings; clear where there are none. */
export const suspected = <Grade extends string, Evidence extends object>(
  findings: readonly Proof<Grade, Evidence>[],
): Answer<Grade> => (findings.length === 0 ? CLEAR : { kind: 'suspected', findings: findings.map(asFinding) })

const asFinding = <Grade extends string, Evidence extends object>({
  evidence,
  ...finding
}: Proof<Grade, Evidence>): Finding<Grade> => ({ ...finding, evidence: { ...evidence } })
