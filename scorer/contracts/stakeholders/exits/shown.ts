/** What insiders took as a record states it: the newest of it, with who had it from whom. */
import { decimalText } from '../../../ledger/prices/amounts.ts'
import { coins, isWorth, type Market } from '../../market/market.ts'
import type { Known, MovedAmount, ShownExit } from '../stakeholders.ts'
import type { Exit } from './exits.ts'

/** Takes that are shown as evidence. */
const MOST_SHOWN = 5

/** What is shown where nothing was taken. */
export const NO_EXIT: ShownExit = { share: 0, evidence: [], amounts: [] }

/** How an exit is told. `verb`: what its takers did. */
export type ShownInput = {
  verb: string
  known: Pick<Known, 'markets' | 'dollars'>
  market: Market
  /** Accounts that took for insiders. */
  followed: ReadonlySet<string>
  creator: string
}

/** Nothing where what was taken is worth next to nothing in every pool. */
export const shownExit = ({ share, events: taken }: Exit, input: ShownInput): ShownExit => {
  const { verb, known, market, followed, creator } = input
  const { markets, dollars } = known
  const byPool = new Map(markets.map((item) => [item.id, item]))
  const usdFor = (asset: Market['base']) => dollars.get(asset.address)
  const worth = markets.some(({ id, base: asset }) => {
    const here = taken.reduce((sum, { base, pool }) => (pool === id ? sum - base : sum), 0n)
    return isWorth(here, asset, usdFor(asset))
  })
  if (!worth) return NO_EXIT
  const amounts = taken.slice(0, MOST_SHOWN).map(({ actor, txHash, base, largest = base, pool }): MovedAmount => {
    const { base: asset } = byPool.get(pool) ?? market
    const amount = decimalText(-largest, asset.decimals)
    const usd = usdFor(asset)
    return {
      ...{ address: actor, transaction: txHash, amount, unit: asset.symbol },
      usd: usd === undefined ? null : (usd * coins(-largest, asset.decimals)).toFixed(2),
    }
  })
  const evidence = amounts.map(
    ({ address, amount, unit, transaction }) => `${address} ${verb} ${amount} ${unit} in ${transaction}`,
  )
  const receivers = [...new Set(amounts.map(({ address }) => address))].filter((who) => followed.has(who))
  return {
    share,
    evidence: [...evidence, ...receivers.map((who) => `${who} had it from ${creator || 'an insider'}`)],
    amounts,
  }
}
