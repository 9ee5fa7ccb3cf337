/** Contract records at rest: looked up, computed on the spot, refreshed when their token, pool or owner was touched. */
import type { Context } from '../../platform/context.ts'
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Network } from '../../schema/networks.ts'
import { rugBody } from '../../schema/records/rug.ts'
import { lookupRecords } from '../records.ts'
import {
  type ContractAnalysis,
  type ContractAnalysisOptions,
  type ContractReport,
  createContractAnalysis,
} from './analysis.ts'
import type { Requester } from './chain.ts'
import { createPeople } from './people/node.ts'
import type { PersonScore } from './people/people.ts'
import { contractRegistry } from './registry.ts'

const LOOKUP = readSql(import.meta.url, './sql/lookup.sql')
const STALE = readSql(import.meta.url, './sql/stale.sql')
const UNSEEN = readSql(import.meta.url, './sql/unseen.sql')

/** `body` is JSON text of the record without contractAddress, checked_times and updatedAt; `version` rises. */
export type StoredContract = { body: string; version: number }

export type ContractRecords = {
  /** Newest stored records in the order asked. */
  lookup: (network: Network, addresses: readonly string[]) => Promise<(StoredContract | undefined)[]>
  /** Analyses now, stores and returns; `undefined` where there is no code. */
  compute: (network: Network, address: string) => Promise<StoredContract | undefined>
  /** Addresses of stored records that the touched addresses concern. */
  stale: (network: Network, touched: readonly string[]) => Promise<string[]>
  /** Tokens that got their first pool within the blocks. */
  unseen: (network: Network, from: number, to: number) => Promise<string[]>
}

export type ContractRecordsDeps = {
  context: Pick<Context, 'clock'>
  store: Store
  /** Node of each network that is analysed. */
  rpc: Partial<Record<Network, Requester>>
  options?: Partial<ContractAnalysisOptions>
}

const MOST = 5_000
const DEAD_FROM = 0.9

/** Wallet scores as the tables hold them. */
const scoresFrom =
  (store: Store, network: Network) =>
  async (addresses: string[]): Promise<Map<string, PersonScore>> => {
    const records = await lookupRecords(
      store,
      addresses.map((address) => ({ network, address })),
    )
    return new Map(
      records.flatMap((record, i): [string, PersonScore][] =>
        record
          ? [
              [
                addresses[i] ?? '',
                { probability: record.probability, status: record.status, isNew: record.status === 'New Address' },
              ],
            ]
          : [],
      ),
    )
  }

const rowOf = (
  network: Network,
  address: string,
  report: ContractReport,
  version: number,
  createdAt: number,
  body: string,
) => ({
  network,
  address,
  version,
  token: report.token,
  status: report.status,
  probability: report.probability,
  risk_score: report.riskScore,
  honeypot: report.indicators.is_honeypot,
  dead: report.reasons.fraud.some((reason) => reason.code === 'liquidity_removed' && reason.contribution >= DEAD_FROM)
    ? 1
    : 0,
  owner: report.indicators.owner_address,
  pool: report.examination.market?.id ?? '',
  code_hash: report.codeHash,
  family_hash: report.familyHash,
  body,
  reasons: JSON.stringify(report.reasons),
  unknowns: JSON.stringify(report.unknowns),
  data_height: report.dataHeight,
  created_at: createdAt,
  computed_at: Math.floor(version / 1_000),
})

/** @throws RetryableError ASSAY_CONTRACT_NODE from `compute` when a node does not answer. */
export const createContractRecords = ({ context, store, rpc, options }: ContractRecordsDeps): ContractRecords => {
  const analyses = new Map<Network, ContractAnalysis>()
  const analysisOf = (network: Network): ContractAnalysis | undefined => {
    const node = rpc[network]
    const known = analyses.get(network)
    if (known || !node || !contractRegistry(network)) return known
    const people = createPeople({ network, store, scoresOf: scoresFrom(store, network) })
    const made = createContractAnalysis({ context, rpc: node, network, people, ...(options ? { options } : {}) })
    analyses.set(network, made)
    return made
  }
  const find = (network: Network, addresses: readonly string[]) =>
    store.query<{ address: string; body: string; version: string; created_at: number }>(
      LOOKUP,
      { network, addresses: [...addresses] },
      { route: 'contract_records' },
    )

  return {
    lookup: async (network, addresses) => {
      const rows = new Map((await find(network, addresses)).map((row) => [row.address, row]))
      return addresses.map((address) => {
        const row = rows.get(address)
        return row ? { body: row.body, version: Number(row.version) } : undefined
      })
    },
    compute: async (network, address) => {
      const report = await analysisOf(network)?.(address)
      if (!report) return undefined
      const [earlier] = await find(network, [address])
      const version = Math.max(context.clock.now(), Number(earlier?.version ?? 0) + 1)
      const createdAt = earlier ? Number(earlier.created_at) : Math.floor(version / 1_000)
      const body = JSON.stringify(
        rugBody.parse({ ...report.body, createdAt: new Date(createdAt * 1_000).toISOString() }),
      )
      const row = rowOf(network, address, report, version, createdAt, body)
      await store.insert('contract_records', `${JSON.stringify(row)}\n`, {
        token: `contract_records:${network}:${address}:${version}`,
      })
      return { body, version }
    },
    stale: async (network, touched) => {
      const rows = await store.query<{ address: string }>(
        STALE,
        { network, touched: [...touched], limit: MOST },
        { route: 'contract_stale' },
      )
      return rows.map((row) => row.address)
    },
    unseen: async (network, from, to) => {
      const bases = contractRegistry(network)?.bases.map((base) => base.address) ?? []
      const rows = await store.query<{ token: string }>(
        UNSEEN,
        { network, from, to, bases, limit: MOST },
        { route: 'contract_unseen' },
      )
      return rows.map((row) => row.token)
    },
  }
}
