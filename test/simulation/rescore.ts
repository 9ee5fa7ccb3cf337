/**
 * A small scoring function in the form of the real one: reads through settled reads, from an aggregate of the final tier
 * and from hot rows, and returns how much a wallet moved and whether the logs of authorities are known. A wallet scored too
 * early, or on a doubled row, gets another record.
 */
import type { Clock } from '../../platform/context/clock.ts'
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Network } from '../../schema/networks.ts'
import { AUTHORITY_LISTS } from '../../schema/registry/authorities.ts'
import { loadCoverage, withElsewhere } from '../../scorer/ledger/authorities/coverage.ts'
import { readSettled } from '../../scorer/ledger/reading/settled.ts'
import { lookupRecords } from '../../scorer/ledger/records.ts'
import type { Rescore } from '../../scorer/rescore/rescore.ts'
import type { Verdict } from '../../scorer/scoring/verdict.ts'

const FINAL_SUMS = readSql(import.meta.url, './sql/final-sums.sql')
const HOT_SUMS = readSql(import.meta.url, './sql/hot-sums.sql')

type Sum = { address: string; count: string; amount: string }

export const bodyOf = (count: number, amount: bigint, unknowns: readonly string[] = []): string =>
  `${count} movements of ${amount}${unknowns.length > 0 ? ', as far as is known' : ''}`

/** Reason why the logs of authorities are incomplete. */
const unknownsOf = async (store: Store, network: Network): Promise<string[]> => {
  const { own, elsewhere } = await loadCoverage(store, network)
  const { missing } = withElsewhere(own, elsewhere)
  return AUTHORITY_LISTS.flatMap((list) => missing(list) ?? [])
}

export const createSimulatedRescore = (store: Store, clock: Clock): Rescore => ({
  modelVersion: 'simulated',
  rescore: async (network, addresses, asOf) => {
    const sums = new Map<string, { count: number; amount: bigint }>()
    const { height, before, unknowns } = await readSettled(
      store,
      network,
      async ({ settled, head }) => {
        sums.clear()
        const final = await store.query<Sum>(FINAL_SUMS, { network, addresses })
        const hot = settled === undefined ? [] : await store.query<Sum>(HOT_SUMS, { network, addresses, settled, head })
        for (const { address, count, amount } of [...final, ...hot]) {
          const sum = sums.get(address) ?? { count: 0, amount: 0n }
          sums.set(address, { count: sum.count + Number(count), amount: sum.amount + BigInt(amount) })
        }
        const before = await lookupRecords(
          store,
          addresses.map((address) => ({ network, address })),
        )
        return { height: head, before, unknowns: await unknownsOf(store, network) }
      },
      { clock },
    )
    return addresses.map((address, index): Verdict => {
      const sum = sums.get(address)
      const known = before[index]
      return {
        network,
        address,
        seen: sum !== undefined,
        status: 'Not Fraud',
        probability: 0,
        body: sum ? bodyOf(sum.count, sum.amount, unknowns) : '',
        reasons: [],
        unknowns,
        modelVersion: 'simulated',
        offence: '',
        offenceHops: 0,
        affectsReceivers: false,
        dataHeight: height,
        version: sum || known ? Math.max(asOf, (known?.version ?? 0) + 1) : 0,
        changed: sum !== undefined || (known !== undefined && known.body !== ''),
        createdAt: asOf,
        computedAt: asOf,
      }
    })
  },
})
