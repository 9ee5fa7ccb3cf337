/**
 * How much funds from flagged wallets count in the verdict on their receiver.
 *
 * Nobody can refuse a payment. So such funds convict only a wallet that lives on them: they are nearly all of its income, and the
 * wallet spent them, or they are more than anybody would give away to harm another. An address that forwards everything to
 * collectors is a deposit address of somebody else. In all other cases the funds only raise suspicion, up to the bound of behaviour.
 */
import { percent } from '../../detection/index.ts'
import type { FlaggedInflow } from '../../ledger/exposure/inflow.ts'
import { isContract } from '../../ledger/features/wallet.ts'
import { WHOLE } from '../../ledger/past/past.ts'
import { dollarsOf } from '../../ledger/prices/amounts.ts'
import type { Wallet } from '../wallet.ts'

type Inflow = FlaggedInflow | undefined

/** Share of the income from which a wallet lives wholly on such funds. */
const WHOLLY = 0.9
/** Minimum amount for a verdict, US dollars (semantics row 2). */
const LEAST_USD = 1_000
/** Unspent funds count from this amount if there is no other income, US dollars: too expensive a way to harm somebody. */
const UNSPENT_USD = 10_000
/** Unspent funds count from this amount despite other income, US dollars. */
const UNSPENT_ANYWHERE_USD = 100_000
/** Weight of funds that came through other wallets, relative to funds directly from flagged ones. */
const INDIRECT = 0.5

/** Minimum probability of a wallet that lives wholly on funds of flagged wallets: the high band of the API. */
export const PROBABILITY_OF_FLAGGED_LIFE = 0.6

/** Value of the term FLAGGED_INFLOW, 0 to 1: share of the income, with indirect funds at half weight. */
export const inflowValue = (inflow: Inflow): number =>
  inflow === undefined ? 0 : inflow.direct + INDIRECT * Math.max(0, inflow.share - inflow.direct)

/**
 * Amount that counts against the receiver, US dollars. Doubtful funds do not: a freeze concerns what is at an address now and does not
 * prove that earlier payments were stolen, and funds from a trading pool may be anybody's.
 */
const usdOfOffences = ({ usd, share, doubtful }: FlaggedInflow): number =>
  usd * (share > 0 ? 1 - doubtful.share / share : 1)

/** Whether the wallet lives on the funds, as far as can be seen. */
export const isLivedOn = ({ inflow, features }: Wallet): boolean => {
  // The callers of a contract decide what it does with its funds.
  if (inflow === undefined || isContract(features) || inflow.deposit) return false
  const usd = usdOfOffences(inflow)
  if (usd < LEAST_USD || usd < inflow.usd / 2) return false
  const others = inflow.income - usd
  const unspent = others < LEAST_USD / 2 ? UNSPENT_USD : UNSPENT_ANYWHERE_USD
  return usd >= unspent || inflow.spent > others + LEAST_USD / 2
}

/**
 * Share of the income that is certainly funds of an offence. If the index begins after genesis, the earlier balance of payers is not
 * known, so the true share of indirect funds may be far smaller.
 */
const certainShare = ({ inflow, late }: Wallet): number => {
  if (inflow === undefined) return 0
  const { share, direct, doubtful } = inflow
  return late === undefined ? share - doubtful.share : direct - doubtful.direct
}

/**
 * Whether the funds alone convict: they are certainly nearly all the income of an account with a known past that is not public
 * infrastructure.
 */
export const livesWhollyOnFlagged = (wallet: Wallet): boolean => {
  const { service, past = WHOLE } = wallet
  return !service && past.kind === 'whole' && certainShare(wallet) >= WHOLLY && isLivedOn(wallet)
}

const isAll = (inflow: FlaggedInflow, category: string): boolean =>
  inflow.sources.every((source) => source.category === category)

/** Title of the reason. It says "sanctioned" only if every source is sanctioned. Percentages are of the income. */
export const inflowTitle = (inflow: Inflow): string => {
  if (inflow === undefined) return 'Received funds from flagged addresses'
  const who = isAll(inflow, 'sanctioned') ? 'sanctioned addresses' : 'flagged addresses'
  const indirect = inflow.share - inflow.direct
  const how =
    indirect < 0.005
      ? ''
      : inflow.direct < 0.005
        ? ', through other wallets'
        : `, ${percent(indirect)} through other wallets`
  return `Received ${percent(inflow.share)} of its funds from ${who}${how}`
}

const UNCERTAINTIES: Record<FlaggedInflow['doubtful']['of'], string> = {
  freeze: 'an issuer froze the payers, which does not prove that the funds were stolen',
  market: 'the funds came through a pool in which the public trades',
  listing: 'the funds came through a pool of an unpriced token, which anybody may have made',
}

/** Why the funds are too uncertain for a verdict, or undefined. */
const uncertaintyOf = (inflow: FlaggedInflow, wallet: Wallet): string | undefined => {
  if (isLivedOn(wallet))
    return wallet.late !== undefined && inflow.share >= WHOLLY && certainShare(wallet) < WHOLLY
      ? 'what its payers held before the first indexed block is not known'
      : undefined
  if (isContract(wallet.features)) return 'the wallet is a contract'
  if (inflow.deposit) return 'the wallet forwards everything to addresses that others pay too, as deposit addresses do'
  if (inflow.cut) return 'the wallet has more movements than are analysed'
  if (usdOfOffences(inflow) < inflow.usd / 2) return UNCERTAINTIES[inflow.doubtful.of]
  return usdOfOffences(inflow) < LEAST_USD ? 'the amount is small' : 'none of the funds were spent'
}

/** Facts that a reader can verify: shares, US dollars, sources with their paths, and in `doubt` why there is no verdict. */
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
