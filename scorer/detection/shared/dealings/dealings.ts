/**
 * What a wallet had to do with others. Anybody can name two addresses in a transfer of nothing, in dust, or in the events of a token of
 * his own, at any time: so what counts is what the wallet signed, and what moved value.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { inPieces, type LoadContext } from '../../context.ts'
import { dustOf } from '../dust.ts'

const DEALINGS = readSql(import.meta.url, './dealings.sql')

/** Since when, Unix seconds: `paid_since` the wallet signed payments to the other, 0 for never; `since` they had to do with each other. */
export type Dealing = { address: string; counterparty: string; paid_since: number; since: number }

/** Dealings of wallets with others: of those pairs that had any. */
export const loadDealings = async (
  { store, network }: LoadContext,
  pairs: Iterable<readonly [address: string, counterparty: string]>,
): Promise<(address: string, counterparty: string) => Dealing | undefined> => {
  const asked = new Map([...pairs].map((pair) => [pair.join(' '), pair]))
  const dust = dustOf(network)
  const limits = { known: [...dust.keys()], dust: [...dust.values()].map(String) }
  const rows = await inPieces(asked.values(), (some) =>
    store.query<Dealing>(
      DEALINGS,
      {
        network,
        addresses: some.map(([address]) => address),
        counterparties: some.map(([, counterparty]) => counterparty),
        ...limits,
      },
      { route: 'dealings' },
    ),
  )
  const found = new Map(rows.map((row) => [`${row.address} ${row.counterparty}`, row]))
  return (address, counterparty) => found.get(`${address} ${counterparty}`)
}
