/**
 * Limits answers where the index begins after genesis. A share of a flow without its beginning, or an exclusion that asks
 * what an account did before, proves nothing there: such a finding does not convict, and its absence does not clear.
 */
import type { Network } from '../../schema/networks.ts'
import type { WalletFeatures } from '../ledger/features/wallet.ts'
import { type FetchedPasts, loadFetched, NONE_FETCHED } from '../ledger/past/fetched.ts'
import { loadLives, loadPasts, PAST_IS_UNKNOWN, PAST_OF_OTHERS, type Past, WHOLE } from '../ledger/past/past.ts'
import type { TieredStore } from '../ledger/reading/tiers.ts'
import { type PastNeeded, pastsNeeded } from './coverage.ts'
import { type Answer, CLEAR, type Detector, type Subject } from './detector.ts'

/** Evidence about one wallet, by detector. */
type Found = Readonly<Record<string, unknown>>

/** Evidence that holds, and the detectors that might find more if the past of other parties were known. */
export type Proven = { found: Found; open: ReadonlySet<string> }

const pastSuffices = (past: Past, { sent }: WalletFeatures, needed: PastNeeded['known']): boolean =>
  past.kind === 'whole' ||
  (past.kind === 'fresh' && needed === 'fresh') ||
  // Contracts sign nothing.
  (needed === 'account' && sent > 0)

/** Judges the evidence. Clear if the detector loaded nothing about the wallet. */
export const judgeFound = (detector: Detector, subject: Subject, found: unknown): Answer =>
  detector.load && found === undefined ? CLEAR : detector.judge(found, subject)

/** Turns answers that need a longer past into `unknown`. `open`: the past of other parties might add findings. */
export const limitedByPast = (detector: Detector, subject: Subject, answer: Answer, open: boolean): Answer => {
  const { past = WHOLE, late, features } = subject
  if (answer.kind === 'unknown') return answer
  // A suspicion raises no flag, so it leaves the wallet as clear as no finding does.
  const outcome = answer.kind === 'convicted' ? 'convicted' : 'clear'
  // An address without a row in the covered blocks has no evidence, so it cannot be cleared.
  const unseen = outcome === 'clear' && features.first_seen === null
  const barred = pastsNeeded(detector.needs).some(
    ({ known, bars }) => (unseen || bars.includes(outcome)) && !pastSuffices(past, features, known),
  )
  if (barred && past.kind !== 'whole') {
    return { kind: 'unknown', uncovered: true, why: `${PAST_IS_UNKNOWN} (${past.why})` }
  }
  if (outcome === 'convicted' || late === undefined || !(open || detector.others?.concerns(features))) return answer
  return { kind: 'unknown', uncovered: true, why: `${PAST_OF_OTHERS} (before block ${late})` }
}

/** Removes evidence that depends on parties whose past is not known. */
const provenOf = (
  detectors: readonly Detector[],
  address: string,
  found: Found,
  known: (address: string) => boolean,
): Proven => {
  const open = new Set<string>()
  const kept: Record<string, unknown> = { ...found }
  for (const { id, others } of detectors) {
    if (!others || found[id] === undefined) continue
    const proven = others.proven(found[id], known, address)
    if (proven !== found[id]) open.add(id)
    if (proven === undefined) delete kept[id]
    else kept[id] = proven
  }
  return { found: kept, open }
}

/** The pasts of the wallets of a batch. */
export type BatchPasts = {
  /** First covered block if the index begins after genesis. */
  late: number | undefined
  past: (address: string) => Past
}

type Batch = {
  store: TieredStore
  network: Network
  wallets: ReadonlyMap<string, WalletFeatures>
}

/** Fetched pasts count only if the tables of the fetched range are read too. */
const fetchedOf = async (
  { store, network }: Omit<Batch, 'wallets'>,
  accounts: Iterable<string>,
): Promise<FetchedPasts> => (store.tables === 'whole' ? loadFetched(store, network, accounts) : NONE_FETCHED)

/** Loads the pasts of a batch. Issues no query if the index begins at genesis. */
export const loadBatchPasts = async ({
  store,
  network,
  wallets,
  late: reading,
}: Batch & { late: Promise<number | undefined> }): Promise<BatchPasts> => {
  const late = await reading
  if (late === undefined) return { late, past: () => WHOLE }
  const fetched = await fetchedOf({ store, network }, wallets.keys())
  return { late, past: await loadPasts(store, network, late, wallets, fetched) }
}

/** Removes evidence that is not proven from the evidence of a batch; undefined if the index begins at genesis. */
export const loadProven = async (
  detectors: readonly Detector[],
  { store, network, wallets }: Batch,
  { late, past }: BatchPasts,
  evidence: ReadonlyMap<string, Found>,
): Promise<Map<string, Proven> | undefined> => {
  if (late === undefined) return undefined
  const parties = new Set<string>()
  for (const found of evidence.values()) {
    for (const { id, others } of detectors) {
      if (!others || found[id] === undefined) continue
      for (const party of others.parties(found[id])) if (!wallets.has(party)) parties.add(party)
    }
  }
  const [lives, fetched] = await Promise.all([
    loadLives(store, network, parties),
    fetchedOf({ store, network }, parties),
  ])
  const pastOfParty = await loadPasts(store, network, late, lives, fetched)
  const known = (address: string) => (parties.has(address) ? pastOfParty : past)(address).kind !== 'unknown'
  return new Map([...evidence].map(([address, found]) => [address, provenOf(detectors, address, found, known)]))
}
