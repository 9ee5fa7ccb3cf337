/**
 * Finds thieves above pass-through wallets. A link of a peel chain has no flagged neighbour, because nobody labels the links before
 * it. So a wallet that looks like a link is traced upwards along first funders while those look like links too, and the wallet at
 * the top is judged by its own drains.
 */
import { networkInfo } from '../../../../schema/networks.ts'
import { isContract, type WalletFeatures } from '../../../ledger/features/wallet.ts'
import { createLoadContext, type LoadContext, walletsWhere } from '../../context.ts'
import { counterpartyLoader } from '../../shared/counterparties.ts'
import { usdThresholds } from '../../shared/usd-thresholds.ts'
import { MIN_VICTIMS } from '../../theft/approval-drain/drain.ts'
import { loadDrains } from '../../theft/approval-drain/drains.ts'
import { confirmedProceeds } from '../../theft/approval-drain/proceeds.ts'

/** Maximum number of levels. Lower links of longer chains are not found. */
const MAX_LEVELS = 6
/** Traits of a link: few payers (proceeds and gas), few payees, a short life, nearly everything passed on. */
const MAX_PAYERS = 3
const MAX_PAYEES = 4
const LIFE_S = 7 * 86_400
const PASSED_ON = 0.85

/** Time from the first payment above dust or first act to the last act, s. Strangers can name an address at any time. */
const lifeOf = ({ sent_first, sent_last, paid_first }: WalletFeatures): number =>
  (sent_last ?? 0) - Math.min(sent_first ?? Number.POSITIVE_INFINITY, paid_first ?? Number.POSITIVE_INFINITY)

/** @param least minimum inflow, whole native coins */
const isLink = (wallet: WalletFeatures, least: number): boolean =>
  wallet.funder !== null &&
  !isContract(wallet) &&
  wallet.sent > 0 &&
  wallet.native_in >= least &&
  wallet.native_out >= PASSED_ON * wallet.native_in &&
  wallet.payers <= MAX_PAYERS &&
  wallet.out_partners <= MAX_PAYEES &&
  lifeOf(wallet) <= LIFE_S

/** Path from a thief to a link: the thief first, the link's funder last. */
export type Descent = { thief: string; path: string[] }

/** Links of the batch with the thieves above them. Issues no query if no wallet of the batch looks like a link. */
export const loadDescents = async (context: LoadContext, usd: number): Promise<Map<string, Descent>> => {
  const { network } = context
  const least = (usdThresholds(network, usd).get('') ?? 0) / 10 ** networkInfo(network).nativeCoin.decimals
  let climbing = walletsWhere(context, (wallet) => isLink(wallet, least)).map((link) => ({
    link,
    path: [context.wallets.get(link)?.funder ?? ''],
  }))
  const tops: { link: string; path: string[] }[] = []
  const loadCounterparties = counterpartyLoader(context)
  let above: ReadonlyMap<string, WalletFeatures> = new Map()
  for (let level = 0; level < MAX_LEVELS && climbing.length > 0; level++) {
    above = await loadCounterparties(climbing.map(({ path }) => path[0] ?? ''))
    climbing = climbing.flatMap(({ link, path }) => {
      const wallet = above.get(path[0] ?? '')
      if (!wallet) return []
      if (wallet.approvers >= MIN_VICTIMS || wallet.contracts_created > 0) tops.push({ link, path })
      const up = isLink(wallet, least) ? wallet.funder : null
      return up === null || up === link || path.includes(up) ? [] : [{ link, path: [up, ...path] }]
    })
  }
  if (tops.length === 0) return new Map()
  const wallets = new Map(
    tops.flatMap(({ path }) => {
      const wallet = above.get(path[0] ?? '')
      return wallet ? [[wallet.address, wallet] as const] : []
    }),
  )
  const thieves = confirmedProceeds(await loadDrains(createLoadContext({ ...context, wallets })))
  return new Map(
    tops
      .filter(({ path }) => thieves.has(path[0] ?? ''))
      .map(({ link, path }) => [link, { thief: path[0] ?? '', path }]),
  )
}
