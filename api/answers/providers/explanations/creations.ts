/** Contracts created by a wallet, and their verdicts. */
import type { Store } from '../../../../platform/store/store.ts'
import { timestampOf } from '../../../../schema/records/common.ts'
import { type Creations, MAX_CREATIONS } from '../../../../schema/records/explained/creations.ts'
import { type Creation, loadCreations } from '../../../../scorer/ledger/creations/load.ts'
import { type Added, type Explain, loadWalletCoverage } from './explain.ts'

const creationOf = ({ contract, created, code_hash, verdict }: Creation): Creations['newest'][number] => ({
  contract,
  createdAt: timestampOf(created * 1_000),
  codeHash: code_hash === '' ? null : code_hash,
  verdict: verdict
    ? {
        status: verdict.status,
        probabilityFraud: verdict.probability,
        risk_score: verdict.risk_score,
        honeypot: verdict.honeypot === 1,
        liquidityRemoved: verdict.dead === 1,
        computedAt: timestampOf(verdict.computed * 1_000),
      }
    : null,
})

/** The newest contracts deployed by the wallet, also through factories, and their total number. */
export const createCreations =
  (store: Store): Explain<Omit<Creations, Added>> =>
  async ({ network, address }) => {
    const [{ height, total, creations }, coverage] = await Promise.all([
      loadCreations(store, network, address, MAX_CREATIONS),
      loadWalletCoverage(store, { network, address }),
    ])
    return { fields: { total, newest: creations.map(creationOf), dataHeight: height }, coverage }
  }
