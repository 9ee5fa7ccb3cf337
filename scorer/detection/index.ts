/**
 * The detectors, and what they find in a batch of wallets. This file is the door of the room: others import from here.
 *
 * A detector stands below those whose results it reads, so that no two can wait for each other. To add one, add its folder
 * and one line here: docs/build/adding-a-detector.md.
 */
import type { Network } from '../../schema/networks.ts'
import { issuerFreeze } from './authorities/issuer-freeze/detector.ts'
import { mixerRegistry } from './authorities/mixer-registry/detector.ts'
import { sanctionsOracle } from './authorities/sanctions-oracle/detector.ts'
import type { LoadContext } from './context.ts'
import { forgedEvents } from './contracts/forged-events/detector.ts'
import { gasMinting } from './contracts/gas-minting/detector.ts'
import { ponziContract } from './contracts/ponzi-contract/detector.ts'
import { redeployedContract } from './contracts/redeployed-contract/detector.ts'
import { logsNeeded, networksFor } from './coverage.ts'
import { addressPoisoning } from './deceit/address-poisoning/detector.ts'
import { airdropPhish } from './deceit/airdrop-phish/detector.ts'
import { counterfeitToken } from './deceit/counterfeit-token/detector.ts'
import { extortionMessage } from './deceit/extortion-message/detector.ts'
import { fakeClaim } from './deceit/fake-claim/detector.ts'
import { fakeMining } from './deceit/fake-mining/detector.ts'
import { lureMessage } from './deceit/lure-message/detector.ts'
import type { Answer, Detector, Subject } from './detector.ts'
import { darknetPayment } from './laundering/darknet-payment/detector.ts'
import { layering } from './laundering/layering/detector.ts'
import { mixerHabit } from './laundering/mixer-habit/detector.ts'
import { mixerInteraction } from './laundering/mixer-interaction/detector.ts'
import { honeypotHistory } from './markets/honeypot-history/detector.ts'
import { nftWashRing } from './markets/nft-wash-ring/detector.ts'
import { pausedExit } from './markets/paused-exit/detector.ts'
import { rugExecuted } from './markets/rug-executed/detector.ts'
import { washTrading } from './markets/wash-trading/detector.ts'
import { asFarAsKnown, type BatchPasts, judged, loadProven } from './past.ts'
import { runDetectors } from './run.ts'
import { loadUsedApprovals, type UsedApproval } from './shared/approvals/approvals.ts'
import { type LabelledContract, loadLabelledContracts } from './shared/contracts/labelled-contracts.ts'
import { approvalDrain } from './theft/approval-drain/detector.ts'
import { contractExploit } from './theft/contract-exploit/detector.ts'
import { drainerSplit } from './theft/drainer-split/detector.ts'
import { keySweep } from './theft/key-sweep/detector.ts'
import { nftDrain } from './theft/nft-drain/detector.ts'
import { permissionTakeover } from './theft/permission-takeover/detector.ts'
import { sweeperDelegate } from './theft/sweeper-delegate/detector.ts'

export { authorityName } from './authorities/listings.ts'
export { createLoadContext, exceededLimits } from './context.ts'
export type { Answer, Detector, Subject } from './detector.ts'
export type { Stated } from './evidence.ts'
export { loadBatchPasts } from './past.ts'
export { victimsTogether } from './theft/approval-drain/drain.ts'
export { allProceedsOf, amountTaken } from './theft/approval-drain/proceeds.ts'
export { counted, percent } from './wording.ts'

/** Every detector there is, in an order in which each stands below those it reads. The flag table names them by id. */
export const DETECTORS = [
  sanctionsOracle,
  issuerFreeze,
  mixerRegistry,
  approvalDrain,
  nftDrain,
  drainerSplit,
  sweeperDelegate,
  keySweep,
  permissionTakeover,
  contractExploit,
  addressPoisoning,
  fakeClaim,
  airdropPhish,
  lureMessage,
  extortionMessage,
  counterfeitToken,
  fakeMining,
  rugExecuted,
  pausedExit,
  honeypotHistory,
  washTrading,
  nftWashRing,
  ponziContract,
  forgedEvents,
  gasMinting,
  redeployedContract,
  mixerHabit,
  mixerInteraction,
  layering,
  darknetPayment,
] as const

type AnyDetector = (typeof DETECTORS)[number]
/** Ids of the detectors. The flag table is checked against them by the compiler. */
export type DetectorId = AnyDetector['id']
type FoundBy<D> = D extends Detector<infer Found> ? Found : never

/** What was loaded about one wallet: for each detector that has something to judge, and beside them. */
export type Evidence = { [D in AnyDetector as D['id']]?: FoundBy<D> } & {
  /** Approvals that the wallet made use of: a feature of the model. */
  usedApprovals?: UsedApproval[]
  /** Contracts of the wallet that carry a malicious label, whoever gave it. */
  labelledContracts?: LabelledContract[]
  /** Detectors that would say more if the past of other parties were known. */
  open?: ReadonlySet<string>
}

const BY_ID: ReadonlyMap<string, Detector> = new Map(
  DETECTORS.map((detector): [string, Detector] => [detector.id, detector]),
)

/** The detector with an id. */
export const detectorOf = (id: DetectorId): Detector => {
  const detector = BY_ID.get(id)
  if (!detector) throw new Error(`no detector is called ${id}`)
  return detector
}

const NETWORKS = new Map<string, ReadonlySet<Network>>(
  DETECTORS.map(({ id, needs }) => [id, new Set(networksFor(needs))]),
)

/** Evidence by address; wallets without any are not in the map. */
export const loadEvidence = async (context: LoadContext): Promise<Map<string, Evidence>> => {
  const running = [...runDetectors(DETECTORS, context)]
  const [labelled, used, ...found] = await Promise.all([
    loadLabelledContracts(context),
    loadUsedApprovals(context),
    ...running.map(([, results]) => results),
  ])
  const all = new Map<string, Record<string, unknown>>()
  const put = (name: string, by: ReadonlyMap<string, unknown>) => {
    for (const [address, value] of by) {
      const evidence = all.get(address)
      if (evidence) evidence[name] = value
      else all.set(address, { [name]: value })
    }
  }
  put('labelledContracts' satisfies keyof Evidence, labelled)
  put('usedApprovals' satisfies keyof Evidence, used)
  for (const [nth, [id]] of running.entries()) put(id, found[nth] ?? new Map())
  // Each value was loaded under the id of its detector.
  return all as Map<string, Evidence>
}

/** The part of the evidence about a batch that does not rest on a past nobody has seen. */
export const knownEvidence = async (
  context: Pick<LoadContext, 'store' | 'network' | 'wallets'>,
  pasts: BatchPasts,
  evidence: Map<string, Evidence>,
): Promise<Map<string, Evidence>> => {
  const proven = await loadProven(DETECTORS, context, pasts, evidence)
  if (!proven) return evidence
  // Each value is what was loaded under the id of its detector, or a part of it.
  return new Map([...proven].map(([address, { found, open }]) => [address, { ...found, open } as Evidence]))
}

/** Networks on which a detector can speak at all, in table order. */
export const networksOf = ({ needs }: Pick<Detector, 'needs'>): Network[] => networksFor(needs)

/** Whether a detector can speak on a network: what it takes is seen there. */
export const speaksOn = ({ id }: Pick<Detector, 'id'>, network: Network): boolean =>
  NETWORKS.get(id)?.has(network) ?? false

/**
 * What a detector answers about a wallet. Where nothing was loaded there is nothing to judge. On a network that does not show what it
 * takes, what it loaded proves nothing: rows of the same table may mean something else there.
 */
export const answerOf = (detector: Detector, subject: Subject, evidence: Evidence): Answer => {
  if (!speaksOn(detector, subject.network)) return { kind: 'unknown', why: `no source on ${subject.network}` }
  const found = (evidence as Readonly<Record<string, unknown>>)[detector.id]
  const open = evidence.open?.has(detector.id) ?? false
  const answer = asFarAsKnown(detector, subject, judged(detector, subject, found), open)
  if (answer.kind !== 'clear') return answer
  const [missing] = logsNeeded(detector.needs).flatMap((list) => subject.logs.missing(list) ?? [])
  return missing === undefined ? answer : { kind: 'unknown', why: missing, uncovered: true }
}
