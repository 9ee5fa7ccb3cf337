/** Contract records: looked up, computed on demand, and refreshed when their token, pool or owner changed. */
import type { OutgoingMessage } from '../../../platform/bus/bus.ts'
import type { Context } from '../../../platform/context/context.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { rugBody } from '../../../schema/records/rug.ts'
import type { StoredRecord } from '../../../schema/records/stored.ts'
import { recordTopicKey } from '../../../schema/topics.ts'
import { isAgeOpen } from '../../ledger/past/past.ts'
import { lookupRecords } from '../../ledger/records.ts'
import {
  type ContractAnalysis,
  type ContractAnalysisOptions,
  type ContractReport,
  createContractAnalysis,
} from '../analysis.ts'
import type { Requester } from '../chain/call.ts'
import { createLocalEvm } from '../chain/evm/local.ts'
import { createCodeReader } from '../code/reader.ts'
import type { FindPools } from '../stakeholders/missing-pools.ts'
import { createStakeholders } from '../stakeholders/node.ts'
import type { StakeholderScore } from '../stakeholders/stakeholders.ts'
import { isBlackhole } from '../subject/blackhole.ts'
import { contractRegistry } from '../subject/registry.ts'
import { createFreshness, type Freshness } from './freshness.ts'
import { createTokenLabels, type TokenProof } from './labels.ts'

const HEIGHT = readSql(import.meta.url, './sql/height.sql')
const LATEST_HISTORY = readSql(import.meta.url, './sql/latest-history.sql')
const LOOKUP = readSql(import.meta.url, './sql/lookup.sql')

/** Contract records of all networks. Without a node for a network its records can only be looked up. */
export type ContractRecords = {
  /** Newest stored records, in the order of the addresses. */
  lookup: (network: Network, addresses: readonly string[]) => Promise<(StoredRecord | undefined)[]>
  /** Addresses whose newest stored record is current. */
  fresh: Freshness
  /** Analyses the contract, stores the record and returns it; `undefined` when there is no code. */
  compute: (network: Network, address: string) => Promise<StoredRecord | undefined>
  /** Analyses the contract and returns what to store; `undefined` when there is no code or no node. */
  make: (network: Network, address: string) => Promise<MadeContract | undefined>
  /**
   * Stores token labels first, then requests new scores of the affected wallets, then stores the records, and publishes
   * last. After a crash in between, the record is missing and everything is done again.
   */
  save: (made: readonly MadeContract[]) => Promise<void>
}

/** Dependencies of the records, and where stored records are announced. */
export type ContractRecordsDeps = {
  context: Pick<Context, 'clock'>
  store: Store
  /** Node of each network that is analysed. */
  rpc: Partial<Record<Network, Requester>>
  /** Requests new records of wallets. */
  touch?: (network: Network, addresses: readonly string[]) => Promise<void>
  /** Publishes stored records to API replicas and subscribers. */
  publish?: (messages: OutgoingMessage[]) => Promise<void>
  /** Finds pools created before the index began. Without it they stay unknown. */
  findPools?: FindPools | undefined
  options?: Partial<ContractAnalysisOptions>
}

const DEAD_FROM = 0.9

/** Wallet scores from the tables. */
const scoresFrom =
  (store: Store, network: Network) =>
  async (addresses: string[]): Promise<Map<string, StakeholderScore>> => {
    const records = await lookupRecords(
      store,
      addresses.map((address) => ({ network, address })),
    )
    return new Map(
      records.flatMap((record, i): [string, StakeholderScore][] => {
        // A record without a body was withdrawn.
        if (!record?.body) return []
        const { probability, status, unknowns } = record
        const ageOpen = isAgeOpen(unknowns)
        const isNew = status === 'New Address' && !ageOpen
        return [[addresses[i] ?? '', { probability, status, isNew, isAgeOpen: ageOpen }]]
      }),
    )
  }

const watchedBy = ({ token, examination }: ContractReport, address: string): string[] => {
  const { subject, markets, insiders, dependencies, creator } = examination
  const { owner, proxy } = subject
  const code = proxy.hops.flatMap((hop) => [hop.proxy, hop.target, hop.beacon ?? ''])
  const all = [
    address,
    token,
    ...markets.map((market) => market.id),
    owner.address,
    creator,
    ...insiders,
    ...dependencies,
    ...code,
  ]
  return [...new Set([...all, proxy.admin])].filter((one) => one !== '' && !isBlackhole(one))
}

type Times = { version: number; createdAt: number; tablesHeight: number }

const tableHeightOf = async (store: Store, network: Network): Promise<number> => {
  const [row] = await store.query<{ height: number }>(HEIGHT, { network }, { route: 'contract_height' })
  return Number(row?.height ?? 0)
}

const rowOf = (
  network: Network,
  address: string,
  report: ContractReport,
  { version, createdAt, tablesHeight }: Times,
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
  creator: report.creator.address,
  creator_fraud: report.creator.fraud ? 1 : 0,
  pool: report.examination.market?.id ?? '',
  code_hash: report.codeHash,
  family_hash: report.familyHash,
  body,
  reasons: JSON.stringify(report.reasons),
  unknowns: JSON.stringify(report.unknowns),
  facts: JSON.stringify(report.facts),
  model_version: report.modelVersion,
  data_height: report.dataHeight,
  data_hash: report.dataHash,
  tables_height: tablesHeight,
  watched: watchedBy(report, address),
  created_at: createdAt,
  computed_at: Math.floor(version / 1_000),
})

/** A record as its table holds it. */
export type ContractRow = ReturnType<typeof rowOf>

/** Messages for topic `records`. Columns that only the stream of analyses needs are left out. */
const contractMessages = (rows: readonly ContractRow[]): OutgoingMessage[] =>
  rows.map(({ watched: _watched, tables_height: _tables, ...record }) => ({
    key: recordTopicKey(record.network, record.address, 'rug_pull'),
    value: Buffer.from(JSON.stringify({ operation: 'rug_pull', ...record })),
  }))

/** An analysis to store, its proof about the token, and whether the record differs from the newest one in history. */
export type MadeContract = { row: ContractRow; proved: TokenProof; changed: boolean }

/**
 * The part of a body whose changes go into history. Prices, liquidity and times change all the time and are left out.
 */
const comparableBody = (body: string): string => {
  const { status, risk_score, probabilityFraud, risk_indicators } = rugBody.parse(JSON.parse(body))
  const { liquidity: _liquidity, market_cap: _cap, ...indicators } = risk_indicators
  return JSON.stringify([status, risk_score, probabilityFraud.toFixed(2), indicators])
}

/** Rows of `contract_history`. */
const historyRows = (made: readonly MadeContract[]) =>
  made
    .filter(({ changed }) => changed)
    .map(({ row }) => {
      const { network, address, version, status, probability, risk_score, body, reasons, unknowns } = row
      const { model_version, data_height, tables_height, computed_at } = row
      const verdict = { network, address, version, status, probability, risk_score, body, reasons, unknowns }
      return { ...verdict, model_version, data_height, tables_height, computed_at }
    })
const linesOf = (rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')

/** @throws RetryableError ASSAY_CONTRACT_NODE from `compute` when a node does not answer. */
export const createContractRecords = (deps: ContractRecordsDeps): ContractRecords => {
  const { context, store, rpc, touch, publish, findPools, options } = deps
  const labels = createTokenLabels(store, context.clock)
  const analyses = new Map<Network, ContractAnalysis>()
  const evm = createLocalEvm()
  const codes = createCodeReader()
  const analysisOf = (network: Network): ContractAnalysis | undefined => {
    const node = rpc[network]
    const known = analyses.get(network)
    if (known || !node || !contractRegistry(network)) return known
    const stakeholders = createStakeholders({ network, store, scoresOf: scoresFrom(store, network), findPools })
    const made = createContractAnalysis({
      context,
      rpc: node,
      network,
      stakeholders,
      hasHoneypotLabel: (token) => labels.hasHoneypotLabel(network, token),
      options: { evm, codes, ...options },
    })
    analyses.set(network, made)
    return made
  }
  const find = (network: Network, addresses: readonly string[]) =>
    store.query<{ address: string; body: string; version: string; created_at: number; data_height: number }>(
      LOOKUP,
      { network, addresses: [...addresses] },
      { route: 'contract_records' },
    )

  const make: ContractRecords['make'] = async (network, address) => {
    const analyse = analysisOf(network)
    if (!analyse) return undefined
    const tablesHeight = await tableHeightOf(store, network)
    const report = await analyse(address)
    if (!report) return undefined
    const [[earlier], [previous]] = await Promise.all([
      find(network, [address]),
      store.query<{ body: string }>(LATEST_HISTORY, { network, address }, { route: 'contract_history' }),
    ])
    const version = Math.max(context.clock.now(), Number(earlier?.version ?? 0) + 1)
    const createdAt = earlier ? Number(earlier.created_at) : Math.floor(version / 1_000)
    const body = JSON.stringify(rugBody.parse({ ...report.body, createdAt: new Date(createdAt * 1_000).toISOString() }))
    const { token, honeypot: proof, dataHeight: height, dataHash: hash } = report
    return {
      row: rowOf(network, address, report, { version, createdAt, tablesHeight }, body),
      proved: { token, proof, height, hash },
      changed: previous === undefined || comparableBody(previous.body) !== comparableBody(body),
    }
  }
  const save: ContractRecords['save'] = async (made) => {
    if (made.length === 0) return
    for (const network of new Set(made.map(({ row }) => row.network))) {
      const own = made.filter(({ row }) => row.network === network)
      const wallets = await labels.save(
        network,
        own.map(({ proved }) => proved),
      )
      if (wallets.length > 0) await touch?.(network, wallets)
    }
    const rows = made.map(({ row }) => row)
    // Stored before the records: after a crash in between the change is found again.
    const history = historyRows(made)
    if (history.length > 0) await store.insert('contract_history', linesOf(history))
    await store.insert('contract_records', linesOf(rows))
    await publish?.(contractMessages(rows))
  }

  return {
    make,
    save,
    fresh: createFreshness(store),
    lookup: async (network, addresses) => {
      const rows = new Map((await find(network, addresses)).map((row) => [row.address, row]))
      return addresses.map((address) => {
        const row = rows.get(address)
        return row ? { body: row.body, version: Number(row.version), dataHeight: row.data_height } : undefined
      })
    },
    compute: async (network, address) => {
      const made = await make(network, address)
      if (!made) return undefined
      await save([made])
      return { body: made.row.body, version: made.row.version, dataHeight: made.row.data_height }
    },
  }
}
