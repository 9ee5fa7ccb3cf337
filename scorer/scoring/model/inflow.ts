/**
 * What the money of flagged wallets weighs in the verdict on a wallet that received it.
 *
 * Nobody can refuse to be paid. So such money convicts only where the wallet lives on it: it is nearly all of its income, and the
 * wallet went on to spend it, or it is more than anybody would give away to harm another. An address that hands everything on to
 * one collector is somebody else's address for deposits. In all other cases it raises suspicion, up to that of behaviour alone.
 */
import { percent } from '../../detection/index.ts'
import type { FlaggedInflow } from '../../ledger/exposure/inflow.ts'
import { isContract } from '../../ledger/features/wallet.ts'
import { WHOLE } from '../../ledger/past/past.ts'
import { dollarsOf } from '../../ledger/prices/amounts.ts'
import type { Wallet } from '../wallet.ts'

type Inflow = FlaggedInflow | undefined

/** Part of the income from which on a wallet lives wholly on such money. */
const WHOLLY = 0.9
/** What is below is too little for a verdict, US dollars (semantics row 2), */
const LEAST_USD = 1_000
/** and from here on it counts although none of it was spent, where nothing else came in: too dear a way to harm somebody, */
const UNSPENT_USD = 10_000
/** and from here on wherever it came. */
const UNSPENT_ANYWHERE_USD = 100_000
/** Money that came over other wallets counts half of what came from flagged ones themselves, until nearly all of it did. */
const INDIRECT = 0.5

/** Probability of a wallet that lives wholly on money of flagged wallets, at least: in the high band of the contract. */
export const PROBABILITY_OF_FLAGGED_LIFE = 0.6

/**
 * Value of the term FLAGGED_INFLOW, 0 to 1: a part of the income, in which money that came over other wallets counts
 * half.
 */
export const inflowValue = (inflow: Inflow): number =>
  inflow === undefined ? 0 : inflow.direct + INDIRECT * Math.max(0, inflow.share - inflow.direct)

/**
 * The money that is held against who got it, US dollars. A freeze takes hold of what lies at an address; it does not say that what was
 * paid from there before was stolen, nor could who was paid know of it. What comes out of a pool of strangers may be anybody's.
 */
const usdOfOffences = ({ usd, share, doubtful }: FlaggedInflow): number =>
  usd * (share > 0 ? 1 - doubtful.share / share : 1)

/** Whether the money is one that the wallet lives on, as far as can be seen. */
export const isLivedOn = ({ inflow, features }: Wallet): boolean => {
  // What a contract does with its money is decided by those who call it.
  if (inflow === undefined || isContract(features) || inflow.deposit) return false
  const usd = usdOfOffences(inflow)
  if (usd < LEAST_USD || usd < inflow.usd / 2) return false
  const others = inflow.income - usd
  const unspent = others < LEAST_USD / 2 ? UNSPENT_USD : UNSPENT_ANYWHERE_USD
  return usd >= unspent || inflow.spent > others + LEAST_USD / 2
}

/**
 * Part of the income that is money of an offence for certain. On an index that begins late, what payers had before is not seen: of what came over
 * others, the part that is seen may be the smallest.
 */
const certainShare = ({ inflow, late }: Wallet): number => {
  if (inflow === undefined) return 0
  const { share, direct, doubtful } = inflow
  return late === undefined ? share - doubtful.share : direct - doubtful.direct
}

/**
 * Whether such money alone makes a verdict of fraud: nearly all the income, for certain, of an account whose whole past
 * is known and which is no public infrastructure.
 */
export const livesWhollyOnFlagged = (wallet: Wallet): boolean => {
  const { service, past = WHOLE } = wallet
  return !service && past.kind === 'whole' && certainShare(wallet) >= WHOLLY && isLivedOn(wallet)
}

const isAll = (inflow: FlaggedInflow, category: string): boolean =>
  inflow.sources.every((source) => source.category === category)

/** Title of the reason. It names sanctions only where every source is sanctioned; percentages are of the income. */
export const inflowTitle = (inflow: Inflow): string => {
  if (inflow === undefined) return 'Received funds from flagged addresses'
  const who = isAll(inflow, 'sanctioned') ? 'sanctioned addresses' : 'flagged addresses'
  const indirect = inflow.share - inflow.direct
  const how =
    indirect < 0.005 ? '' : inflow.direct < 0.005 ? ', over other wallets' : `, ${percent(indirect)} over other wallets`
  return `Received ${percent(inflow.share)} of its funds from ${who}${how}`
}

const UNCERTAINTIES: Record<FlaggedInflow['doubtful']['of'], string> = {
  freeze: 'an issuer froze those who paid, which does not say that what they paid was stolen',
  market: 'it came through a pool in which strangers trade',
  listing: 'it came through a pool of a token without a price, which may be its own or anybody’s',
}

/** Why the money is too doubtful for a verdict, where it is. */
const uncertaintyOf = (inflow: FlaggedInflow, wallet: Wallet): string | undefined => {
  if (isLivedOn(wallet))
    return wallet.late !== undefined && inflow.share >= WHOLLY && certainShare(wallet) < WHOLLY
      ? 'what those who paid it had before the index begins is not known'
      : undefined
  if (isContract(wallet.features)) return 'the wallet is a contract'
  if (inflow.deposit) return 'the wallet hands everything on to one collector'
  if (inflow.cut) return 'the wallet has more movements than are looked at'
  if (usdOfOffences(inflow) < inflow.usd / 2) return UNCERTAINTIES[inflow.doubtful.of]
  return usdOfOffences(inflow) < LEAST_USD ? 'it is a small amount' : 'none of it was spent'
}

/**
 * What a reader can recount: shares, amounts in US dollars, sources with their paths, and, in `doubt`, why it makes no
 * verdict.
 */
export const inflowEvidence = (wallet: Wallet) => {
  const { inflow } = wallet
  if (inflow === undefined) return {}
  const { share, direct, usd, income, spent, hops, sources } = inflow
  const rounded = (part: number) => Math.round(part * 1e6) / 1e6
  const doubt = uncertaintyOf(inflow, wallet)
  return {
    share: rounded(share),
    direct: rounded(direct),
    received: dollarsOf(usd),
    income: dollarsOf(income),
    spent: dollarsOf(spent),
    hops,
    counterparties: sources.map((source) => ({
      address: source.address,
      category: source.category,
      amount: dollarsOf(source.usd),
      share: rounded(source.share),
      hops: source.hops,
      path: source.path,
    })),
    ...(doubt === undefined ? {} : { doubt }),
  }
}
