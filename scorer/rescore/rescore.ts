/**
 * The scoring function: wallets in, finished fraud records out. Stream scoring (the rescore queue), the backfill and the API call it.
 * It loads the data, evaluates flags and the model, and forms verdicts. All steps after loading are pure: the same data height and
 * model give the same bytes, except for `lastChecked`, `createdAt` and the check times of sanctionData.
 */
import type { Context } from '../../platform/context/context.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Network } from '../../schema/networks.ts'
import { probabilityTextOf, type WalletStatus } from '../../schema/records/common.ts'
import type { WalletRecord } from '../../schema/records/stored.ts'
import type { Asked } from '../ledger/authorities/ask.ts'
import { transactionCount } from '../ledger/features/wallet.ts'
import { unknownAge, WHOLE } from '../ledger/past/past.ts'
import type { Patience } from '../ledger/reading/settled.ts'
import { evaluateFlags } from '../scoring/evaluate-flags.ts'
import { DEFAULT_POLICY, type FlagPolicy } from '../scoring/flags.ts'
import type { Model } from '../scoring/model/model.ts'
import { offenceHopsOf, offenceOf } from '../scoring/offence.ts'
import { bodyOf, reasonsOf } from '../scoring/record.ts'
import { createLoadSnapshot, type Snapshot } from '../scoring/snapshot.ts'
import type { Verdict } from '../scoring/verdict.ts'
import type { Wallet } from '../scoring/wallet.ts'

type RescoreOptions = {
  /** A wallet with fewer transactions and no finding is a New Address. @default 10 */
  newAddressBelow?: number
  /** Policy of the flags. @default DEFAULT_POLICY */
  policy?: FlagPolicy
}

/**
 * Maximum batch size: all data about a batch is held in memory. The cost of a statement hardly depends on the number of wallets: ten
 * batches of a thousand take more than twice as long as one of ten thousand. Twice the size would be a sixth faster, but comes too
 * near to statement deadlines on slow machines.
 */
export const WALLETS_AT_ONCE = 10_000

/** The scoring function. Profiles use it too. */
export type Rescore = {
  /**
   * Verdicts for at most `WALLETS_AT_ONCE` canonical addresses, in their order. `asOf` is the check time, ms since the epoch. `asking`:
   * a pending question to authorities; then there is exactly one address.
   * @throws RetryableError as `readSettled` does.
   */
  rescore: (
    network: Network,
    addresses: readonly string[],
    asOf: number,
    how?: Pick<Patience, 'repeatMs'> & { asking?: Promise<Asked> | undefined },
  ) => Promise<Verdict[]>
  modelVersion: string
}

type RescoreDeps = {
  context: Pick<Context, 'metrics' | 'clock'>
  store: Store
  model: Model
  options?: RescoreOptions
}

const FRAUD_AT = 0.5

type Traced = Pick<WalletRecord, 'offence' | 'offence_hops'>

/** Whether receivers are judged by the wallet: it has an offence, or its funds come from one within two transfers. */
const isSource = (record: Traced | undefined): boolean =>
  record !== undefined && (record.offence !== '' || (record.offence_hops > 0 && record.offence_hops < 3))

const affectsReceiversOf = (before: Traced | undefined, now: Traced): boolean =>
  (isSource(before) || isSource(now)) && (before?.offence !== now.offence || before.offence_hops !== now.offence_hops)

/** Keeps only prices and table versions between calls, so one instance serves all networks and callers. */
export const createRescore = ({ context, store, model, options = {} }: RescoreDeps): Rescore => {
  const { newAddressBelow = 10, policy = DEFAULT_POLICY } = options
  const seconds = context.metrics.histogram('assay_rescore_seconds', 'Duration of rescoring a batch', ['network'])
  const loadSnapshot = createLoadSnapshot(store)
  const wallets = context.metrics.counter('assay_rescored_wallets_total', 'Wallets rescored', ['network', 'status'])

  const judge = (wallet: Wallet) => {
    const forensics = evaluateFlags(wallet, policy)
    const prediction = model.predict(wallet)
    const convicted = forensics.raised.length > 0
    const probability = convicted ? 1 : Number(prediction.probability.toFixed(10))
    const { past = WHOLE } = wallet
    // The chain itself counts the transactions signed before the first covered block (the nonce).
    const before = past.kind === 'whole' ? 0 : (past.signed ?? 0)
    const young = before + transactionCount(wallet.features) < newAddressBelow
    const status: WalletStatus = probability >= FRAUD_AT ? 'Fraud' : young ? 'New Address' : 'Not Fraud'
    return { forensics, prediction, probability, status, open: status === 'New Address' ? unknownAge(past) : [] }
  }

  const scoreOne = (snapshot: Snapshot, address: string, asOf: number): Verdict => {
    const wallet = snapshot.walletOf(address)
    const common = { network: snapshot.network, address, modelVersion: model.version, dataHeight: snapshot.height }
    const computedAt = Math.floor(asOf / 1_000) * 1_000
    const before = snapshot.recordOf(address)
    const createdAt = before ? before.created_at * 1_000 : computedAt
    const version = Math.max(asOf, (before?.version ?? 0) + 1)
    if (!wallet) {
      return {
        ...common,
        seen: false,
        status: 'New Address',
        probability: 0,
        body: '',
        reasons: [],
        unknowns: [],
        offence: '',
        offenceHops: 0,
        affectsReceivers: isSource(before),
        version: before ? version : 0,
        // Every row about the address was undone.
        changed: before !== undefined && before.body !== '',
        createdAt,
        computedAt,
      }
    }
    const { forensics, prediction, probability, status, open } = judge(wallet)
    const offence = offenceOf(forensics)
    const offenceHops = offenceHopsOf(wallet)
    const body = bodyOf({ wallet, status, probability, details: forensics.details, createdAt, computedAt })
    const changed =
      before === undefined ||
      before.status !== status ||
      probabilityTextOf(before.probability).slice(0, 4) !== probabilityTextOf(probability).slice(0, 4) ||
      !before.body.includes(JSON.stringify(forensics.details))
    return {
      ...common,
      seen: true,
      status,
      probability,
      body,
      reasons: reasonsOf(forensics, prediction),
      unknowns: [...forensics.unknowns, ...open, ...snapshot.unknownsOf(address)],
      offence,
      offenceHops,
      affectsReceivers: affectsReceiversOf(before, { offence, offence_hops: offenceHops }),
      version,
      changed,
      createdAt,
      computedAt,
    }
  }

  return {
    modelVersion: model.version,
    rescore: async (network, addresses, asOf, { asking, ...patience } = {}) => {
      const end = seconds.startTimer({ network })
      // Addresses that are neighbours in the tables are read together.
      const sorted = [...new Set(addresses)].sort()
      const snapshot = await loadSnapshot(network, sorted, { ...patience, clock: context.clock }, asking)
      const scored = new Map<string, Verdict>()
      const counts = new Map<WalletStatus, number>()
      for (const address of sorted) {
        const one = scoreOne(snapshot, address, asOf)
        if (one.seen) counts.set(one.status, (counts.get(one.status) ?? 0) + 1)
        scored.set(address, one)
      }
      for (const [status, count] of counts) wallets.inc({ network, status }, count)
      end()
      return addresses.flatMap((address) => scored.get(address) ?? [])
    },
  }
}
