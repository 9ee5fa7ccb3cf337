/** Activity of a wallet over time. */
import type { Store } from '../../../../platform/store/store.ts'
import { timestampOf } from '../../../../schema/records/common.ts'
import type { Activity } from '../../../../schema/records/explained/activity.ts'
import { loadActivity } from '../../../../scorer/ledger/activity/load.ts'
import { type Added, type Explain, loadWalletCoverage } from './explain.ts'

/** Sums by day, week or month. Complete from `knownFrom` on. */
export const createActivity =
  (store: Store): Explain<Omit<Activity, Added>> =>
  async ({ network, address, from }) => {
    const coverage = await loadWalletCoverage(store, { network, address })
    const whole = coverage.wallet.past === 'whole'
    const asked = from === undefined ? undefined : Date.parse(from) / 1_000
    const { height, covered, ...activity } = await loadActivity(store, { network, address, from: asked, whole })
    return {
      fields: {
        ...activity,
        knownFrom: whole || !covered ? null : timestampOf(covered.from * 1_000),
        knownTo: covered ? timestampOf(covered.to * 1_000) : null,
        dataHeight: height,
      },
      coverage,
    }
  }
