/**
 * Dealings of a wallet with others. Anybody can name two addresses in a transfer of zero, in dust, or in events of his own token. So
 * only what the wallet signed and transfers of value count.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import { inPieces, type LoadContext } from '../../context.ts'
import { dustOf } from '../dust.ts'

const DEALINGS = readSql(import.meta.url, './dealings.sql')

/**
 * Unix seconds. `paid_since`: first payment that the wallet signed to the other, 0 for never. `since`: first dealing in either
 * direction.
 */
export type Dealing = { address: string; counterparty: string; paid_since: number; since: number }

/** Loads dealings of pairs. Pairs without any are absent. */
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
