/** Contract records at rest: looked up, computed on the spot, refreshed when their token, pool or owner was touched. */
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
import type { FindPools } from '../stakeholders/announced-before.ts'
import { createStakeholders } from '../stakeholders/node.ts'
import type { StakeholderScore } from '../stakeholders/stakeholders.ts'
import { isBlackhole } from '../subject/blackhole.ts'
import { contractRegistry } from '../subject/registry.ts'
import { createFreshness, type Freshness } from './freshness.ts'
import { createTokenLabels, type TokenProof } from './labels.ts'

const HEIGHT = readSql(import.meta.url, './sql/height.sql')
const KEPT = readSql(import.meta.url, './sql/kept.sql')
const LOOKUP = readSql(import.meta.url, './sql/lookup.sql')

/** Records of contracts of every network; without a node of one they can only be looked up. */
export type ContractRecords = {
  /** Newest stored records in the order asked. */
  lookup: (network: Network, addresses: readonly string[]) => Promise<(StoredRecord | undefined)[]>
  /** Addresses whose newest stored record still says what the chain says. */
  fresh: Freshness
  /** Analyses now, stores and returns; `undefined` where there is no code. */
  compute: (network: Network, address: string) => Promise<StoredRecord | undefined>
  /** Analyses now and returns what is to be stored; `undefined` where there is no code or nobody to ask. */
  make: (network: Network, address: string) => Promise<MadeContract | undefined>
  /**
   * Labels of tokens first, then the wallets they speak about, then the records: whoever is stopped in between finds the
   * record missing and does all of it again. What is stored is published last.
   */
  save: (made: readonly MadeContract[]) => Promise<void>
}

/** What records are made with, and who is told of them. */
export type ContractRecordsDeps = {
  context: Pick<Context, 'clock'>
  store: Store
  /** Node of each network that is analysed. */
  rpc: Partial<Record<Network, Requester>>
  /** Asks for fresh records of wallets. */
  touch?: (network: Network, addresses: readonly string[]) => Promise<void>
  /** Tells replicas of the API and subscribers of records that were stored. */
  publish?: (messages: OutgoingMessage[]) => Promise<void>
  /** Has pools looked for that exchanges announced before the index began; nobody does unless told. */
  findPools?: FindPools | undefined
  options?: Partial<ContractAnalysisOptions>
}

const DEAD_FROM = 0.9

/** Wallet scores as the tables hold them. */
const scoresFrom =
  (store: Store, network: Network) =>
  async (addresses: string[]): Promise<Map<string, StakeholderScore>> => {
    const records = await lookupRecords(
      store,
      addresses.map((address) => ({ network, address })),
    )
    return new Map(
      records.flatMap((record, i): [string, StakeholderScore][] =>
        // One without a body is withdrawn.
        record?.body
          ? [
              [
                addresses[i] ?? '',
                {
                  probability: record.probability,
                  status: record.status,
                  isNew: record.status === 'New Address' && !isAgeOpen(record.unknowns),
                  isAgeOpen: isAgeOpen(record.unknowns),
                },
              ],
            ]
          : [],
      ),
    )
  }

const watchedBy = ({ token, examination }: ContractReport, address: string): string[] => {
  const { subject, markets, insiders, asked, creator } = examination
  const { owner, proxy } = subject
  const code = proxy.hops.flatMap((hop) => [hop.proxy, hop.target, hop.beacon ?? ''])
  const all = [
    address,
    token,
    ...markets.map((market) => market.id),
    owner.address,
    creator,
    ...insiders,
    ...asked,
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

/** Messages of topic `records`. What only the stream of analyses needs stays in the tables. */
const contractMessages = (rows: readonly ContractRow[]): OutgoingMessage[] =>
  rows.map(({ watched: _watched, tables_height: _tables, ...record }) => ({
    key: recordTopicKey(record.network, record.address, 'rug_pull'),
    value: Buffer.from(JSON.stringify({ operation: 'rug_pull', ...record })),
  }))

/** An analysis as it is to be stored, what it proved of the token, and whether it says something else than what is kept. */
export type MadeContract = { row: ContractRow; proved: TokenProof; changed: boolean }

/** What a later reader wants to know the change of: prices, pools' depths and times change all the time. */
const essenceOf = (body: string): string => {
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
      accused: (token) => labels.accused(network, token),
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
    const [[earlier], [kept]] = await Promise.all([
      find(network, [address]),
      store.query<{ body: string }>(KEPT, { network, address }, { route: 'contract_history' }),
    ])
    const version = Math.max(context.clock.now(), Number(earlier?.version ?? 0) + 1)
    const createdAt = earlier ? Number(earlier.created_at) : Math.floor(version / 1_000)
    const body = JSON.stringify(rugBody.parse({ ...report.body, createdAt: new Date(createdAt * 1_000).toISOString() }))
    const { token, honeypot: proof, dataHeight: height, dataHash: hash } = report
    return {
      row: rowOf(network, address, report, { version, createdAt, tablesHeight }, body),
      proved: { token, proof, height, hash },
      changed: kept === undefined || essenceOf(kept.body) !== essenceOf(body),
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
    // Before the records: a change that was stopped in between is found again.
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
