/** Counterparties of a wallet. */
import type { Store } from '../../../../platform/store/store.ts'
import { networkInfo } from '../../../../schema/networks.ts'
import { timestampOf } from '../../../../schema/records/common.ts'
import { type Counterparties, MAX_COUNTERPARTIES } from '../../../../schema/records/explained/counterparties.ts'
import { type Counterparty, loadCounterparties, type Side } from '../../../../scorer/ledger/counterparties/load.ts'
import { type Added, type Explain, loadWalletCoverage } from './explain.ts'

const counterpartyOf = ({ first, last, ...counterparty }: Counterparty) => ({
  ...counterparty,
  firstSeen: timestampOf(first * 1_000),
  lastSeen: timestampOf(last * 1_000),
})
const sideOf = ({ largest, ...side }: Side) => ({ ...side, largest: largest.map(counterpartyOf) })

/** The largest counterparties in each direction, with their attribution and verdict. */
export const createCounterparties =
  (store: Store): Explain<Omit<Counterparties, Added>> =>
  async ({ network, address }) => {
    const [{ height, incoming, outgoing }, coverage] = await Promise.all([
      loadCounterparties(store, network, address, MAX_COUNTERPARTIES),
      loadWalletCoverage(store, { network, address }),
    ])
    const unit = networkInfo(network).nativeCoin.symbol
    return {
      fields: { unit, incoming: sideOf(incoming), outgoing: sideOf(outgoing), dataHeight: height },
      coverage,
    }
  }
