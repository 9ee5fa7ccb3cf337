/** Evidence of an exit for the record: the newest takes, and who supplied the takers. */
import { decimalText } from '../../../ledger/prices/amounts.ts'
import { coins, isAboveDust, type Market } from '../../market/market.ts'
import type { ExitEvidence, MovedAmount, TokenContext } from '../stakeholders.ts'
import type { Exit } from './exits.ts'

/** Maximum number of takes in the evidence. */
const MAX_EVIDENCE = 5

/** Evidence when nothing was taken. */
export const NO_EXIT: ExitEvidence = { share: 0, evidence: [], amounts: [] }

/** How to describe an exit. `verb`: what its takers did. */
export type EvidenceInput = {
  verb: string
  known: Pick<TokenContext, 'markets' | 'usdPrices'>
  market: Market
  /** Accounts that insiders supplied. */
  followed: ReadonlySet<string>
  creator: string
}

/** Builds the evidence. None when the taken value is negligible in every pool. */
export const exitEvidence = ({ share, events: taken }: Exit, input: EvidenceInput): ExitEvidence => {
  const { verb, known, market, followed, creator } = input
  const { markets, usdPrices } = known
  const byPool = new Map(markets.map((item) => [item.id, item]))
  const usdFor = (asset: Market['base']) => usdPrices.get(asset.address)
  const aboveDust = markets.some(({ id, base: asset }) => {
    const here = taken.reduce((sum, { base, pool }) => (pool === id ? sum - base : sum), 0n)
    return isAboveDust(here, asset, usdFor(asset))
  })
  if (!aboveDust) return NO_EXIT
  const amounts = taken.slice(0, MAX_EVIDENCE).map(({ actor, txHash, base, largest = base, pool }): MovedAmount => {
    const { base: asset } = byPool.get(pool) ?? market
    const amount = decimalText(-largest, asset.decimals)
    const usd = usdFor(asset)
    return {
      address: actor,
      transaction: txHash,
      amount,
      unit: asset.symbol,
      usd: usd === undefined ? null : (usd * coins(-largest, asset.decimals)).toFixed(2),
    }
  })
  const evidence = amounts.map(
    ({ address, amount, unit, transaction }) => `${address} ${verb} ${amount} ${unit} in ${transaction}`,
  )
  const receivers = [...new Set(amounts.map(({ address }) => address))].filter((who) => followed.has(who))
  return {
    share,
    evidence: [...evidence, ...receivers.map((who) => `${who} was supplied by ${creator || 'an insider'}`)],
    amounts,
  }
}
