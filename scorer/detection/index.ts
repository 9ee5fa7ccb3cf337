/**
 * The list of detectors and their evidence for a batch of wallets. Code outside this folder imports from here.
 *
 * A detector comes after those whose results it reads, which rules out cycles. To add one, add its folder and one line here:
 * docs/build/adding-a-detector.md.
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
import { type BatchPasts, judgeFound, limitedByPast, loadProven } from './past.ts'
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

/** All detectors, each after those it reads. The flag table refers to them by id. */
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
/** Ids of the detectors. The compiler checks the flag table against them. */
export type DetectorId = AnyDetector['id']
type FoundBy<D> = D extends Detector<infer Found> ? Found : never

/** Loaded evidence about one wallet, by detector. */
export type Evidence = { [D in AnyDetector as D['id']]?: FoundBy<D> } & {
  /** Approvals that the wallet used: a feature of the model. */
  usedApprovals?: UsedApproval[]
  /** Contracts of the wallet with a malicious label from any source. */
  labelledContracts?: LabelledContract[]
  /** Detectors that might find more if the past of other parties were known. */
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

/** Loads evidence by address. Wallets without evidence are absent. */
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

/** Removes evidence that depends on a past that is not known. */
export const provenEvidence = async (
  context: Pick<LoadContext, 'store' | 'network' | 'wallets'>,
  pasts: BatchPasts,
  evidence: Map<string, Evidence>,
): Promise<Map<string, Evidence>> => {
  const proven = await loadProven(DETECTORS, context, pasts, evidence)
  if (!proven) return evidence
  // Each value is what was loaded under the id of its detector, or a part of it.
  return new Map([...proven].map(([address, { found, open }]) => [address, { ...found, open } as Evidence]))
}

/** Networks that a detector covers, in table order. */
export const networksOf = ({ needs }: Pick<Detector, 'needs'>): Network[] => networksFor(needs)

/** Whether a detector covers a network. */
export const coversNetwork = ({ id }: Pick<Detector, 'id'>, network: Network): boolean =>
  NETWORKS.get(id)?.has(network) ?? false

/**
 * The answer of a detector about a wallet. On networks that the detector does not cover its evidence is ignored: rows of the same
 * table may mean something else there.
 */
export const answerOf = (detector: Detector, subject: Subject, evidence: Evidence): Answer => {
  if (!coversNetwork(detector, subject.network)) return { kind: 'unknown', why: `no data source on ${subject.network}` }
  const found = (evidence as Readonly<Record<string, unknown>>)[detector.id]
  const open = evidence.open?.has(detector.id) ?? false
  const answer = limitedByPast(detector, subject, judgeFound(detector, subject, found), open)
  if (answer.kind !== 'clear') return answer
  const [missing] = logsNeeded(detector.needs).flatMap((list) => subject.logs.missing(list) ?? [])
  return missing === undefined ? answer : { kind: 'unknown', why: missing, uncovered: true }
}
