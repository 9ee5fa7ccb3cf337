/** Verdicts on a chain as callers of the API get them. */
import { createFraudProvider } from '../../../api/answers/providers/fraud.ts'
import { createServeCounts } from '../../../api/answers/served/bases.ts'
import type { ForensicDetails } from '../../../schema/records/common.ts'
import { createRescore } from '../../../scorer/rescore/rescore.ts'
import { createWalletModel } from '../../../scorer/scoring/model/wallet-model.ts'
import { saveRecords } from '../../../scorer/scoring/stored.ts'
import { startApi, testContext } from '../../contract/api/kit.ts'
import { openVerdictsOn, type VerdictChain, type Verdicts } from './verdicts.ts'

export type Served = {
  verdicts: Verdicts
  ask: Awaited<ReturnType<typeof startApi>>['ask']
  /** Answer of the fraud check for a wallet. `flags` are the raised ones. @throws Error if it is refused */
  check: (address: string) => Promise<{ chain: string; status: string; flags: Record<string, string>; source: string }>
  close: () => Promise<void>
}

/** Follows a chain to its end, scores all wallets at once, as the scorer does with those in new blocks, and serves them. */
export const serveVerdicts = async (chain: VerdictChain, wallets: readonly string[]): Promise<Served> => {
  const verdicts = await openVerdictsOn(chain)
  try {
    await verdicts.start()
    await verdicts.caughtUp()
    const { store } = verdicts
    const context = testContext()
    const rescore = createRescore({ context, store, model: createWalletModel() })
    await saveRecords(store, await rescore.rescore(chain.network, wallets, context.clock.now()))
    const provider = createFraudProvider({ store, clock: context.clock, rescore, publish: async () => {} })
    const api = await startApi({ providers: { fraud_check: provider }, serveCounts: createServeCounts(store) }, context)
    return {
      verdicts,
      ask: api.ask,
      check: async (address) => {
        const { status, body } = await api.ask('/fraud/check', { network: chain.network, walletAddress: address })
        if (status !== 200) throw new Error(`${address}: ${status} ${JSON.stringify(body)}`)
        const details = body.forensic_details as ForensicDetails
        const flags = Object.entries(details).filter(([name, value]) => name !== 'data_source' && value !== '0')
        return { chain: body.chain, status: body.status, flags: Object.fromEntries(flags), source: details.data_source }
      },
      close: async () => {
        await api.close()
        await verdicts.close()
      },
    }
  } catch (error) {
    await verdicts.close()
    throw error
  }
}
