/** The first funder of an account: who sent it its first coins of more than dust. */
import { readSql } from '../../../platform/store/sql.ts'
import { inPieces, type LoadContext } from '../context.ts'

const FIRST_FUNDERS = readSql(import.meta.url, './sql/first-funders.sql')

/** Who sent some accounts their first coins; empty text where nobody was seen to. Addresses without a row are left out. */
export const fundersOf = async (
  { store, network }: LoadContext,
  accounts: Iterable<string>,
): Promise<Map<string, string>> => {
  const rows = await inPieces(accounts, (addresses) =>
    store.query<{ address: string; funder: string }>(FIRST_FUNDERS, { network, addresses }, { route: 'first_funders' }),
  )
  return new Map(rows.map(({ address, funder }) => [address, funder]))
}
