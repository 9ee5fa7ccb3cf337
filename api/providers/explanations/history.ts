/** What the verdict on a wallet was at any time, as it was stored then. */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { MOST_VERDICTS, type VerdictHistory } from '../../../schema/records/explained/explanations.ts'
import { type Added, type Explain, loadWalletCoverage } from './explain.ts'
import { type PastRow, pastOf } from './fraud.ts'

const KEPT = readSql(import.meta.url, './sql/kept-verdicts.sql')

type KeptRow = PastRow & { version: number | string; reasons: string; hash: string }

export const createFraudHistory =
  (store: Store): Explain<Omit<VerdictHistory, Added>> =>
  async ({ network, address, upTo = Number.MAX_SAFE_INTEGER }, signal) => {
    const params = { network, address, upTo, most: MOST_VERDICTS }
    const [rows, coverage] = await Promise.all([
      store.query<KeptRow>(KEPT, params, { route: 'kept_verdicts', signal }),
      loadWalletCoverage(store, { network, address }),
    ])
    const verdicts = rows.map(({ version, hash, reasons, ...row }) => ({
      version: Number(version),
      hash,
      ...pastOf(row),
      reasons: JSON.parse(reasons) as VerdictHistory['verdicts'][number]['reasons'],
    }))
    return { fields: { verdicts, dataHeight: verdicts[0]?.dataHeight ?? 0 }, coverage }
  }
