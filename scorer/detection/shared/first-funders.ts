/** The first funder of an account: the sender of its first coins above dust. */
import { readSql } from '../../../platform/store/sql.ts'
import { inPieces, type LoadContext } from '../context.ts'

const FIRST_FUNDERS = readSql(import.meta.url, './sql/first-funders.sql')

/** First funders by account; empty text if none is known. Addresses without a row are absent. */
export const fundersOf = async (
  { store, network }: LoadContext,
  accounts: Iterable<string>,
): Promise<Map<string, string>> => {
  const rows = await inPieces(accounts, (addresses) =>
    store.query<{ address: string; funder: string }>(FIRST_FUNDERS, { network, addresses }, { route: 'first_funders' }),
  )
  return new Map(rows.map(({ address, funder }) => [address, funder]))
}
