/** An API with monitoring over a real store, records that are published to it, and receivers of webhooks. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { alertIdOf, type NewAlert } from '../../../../api/monitoring/alerts/alerts.ts'
import type { MonitoringOptions } from '../../../../api/monitoring/monitoring.ts'
import type { Bus } from '../../../../platform/bus/bus.ts'
import { secret } from '../../../../platform/config/config.ts'
import type { Context } from '../../../../platform/context/context.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Network } from '../../../../schema/networks.ts'
import { type VerdictChanged, verdictChanged } from '../../../../schema/records/service/monitoring.ts'
import type { WalletRecord } from '../../../../schema/records/stored.ts'
import { recordTopicKey, topics } from '../../../../schema/topics.ts'
import { recordMessages } from '../../../../scorer/scoring/stored.ts'
import { createMemoryBus, type MemoryBus } from '../../../kit/bus/memory-bus.ts'
import { bodyOf, ENTERPRISE_KEY, startApi, testContext } from '../kit.ts'

export const address = (n: number) => `0x${n.toString(16).padStart(8, '0')}${'ab'.repeat(16)}`

export type Received = { headers: IncomingHttpHeaders; body: string; at: number }

/** A server that keeps what it receives and answers as told. */
export const startReceiver = async (answer: (response: ServerResponse, got: Received) => void = (it) => it.end()) => {
  const received: Received[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece) => pieces.push(piece))
    request.on('end', () => {
      const got = { headers: request.headers, body: Buffer.concat(pieces).toString(), at: Date.now() }
      received.push(got)
      answer(response, got)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  return {
    url,
    received,
    /** Events, each verified by the public library. */
    events: (key: string): VerdictChanged[] =>
      received.map(({ headers, body }) =>
        verdictChanged.parse(new Webhook(key).verify(body, headers as Record<string, string>)),
      ),
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

export const FAST = {
  comparePauseMs: 40,
  deliverPauseMs: 40,
  flushPauseMs: 40,
  lookMs: 40,
  lease: { holdMs: 30_000 },
}

type Options = Omit<NonNullable<Parameters<typeof startApi>[0]>, 'monitoring'> & {
  context?: Context
  monitoring?: Partial<MonitoringOptions>
}

/** Starts a replica with monitoring on a store and a bus. */
export const startMonitored = async (store: Store, bus: Bus, { context, monitoring, ...options }: Options = {}) => {
  const started = await startApi(
    {
      ...options,
      monitoring: {
        store,
        bus,
        keys: [secret('a sealing key of thirty-two characters')],
        watchLimit: 100_000,
        targets: { allowLoopback: true },
        ...monitoring,
        tuning: { ...FAST, ...monitoring?.tuning },
      },
    },
    context ?? testContext(process.env.LEVEL),
  )
  await started.api.start()
  const call = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    key = ENTERPRISE_KEY,
  ) => {
    const response = await started.app.inject({
      method,
      url,
      headers: { 'x-api-key': key, ...(payload && { 'content-type': 'application/json' }) },
      ...(payload && { payload: JSON.stringify(payload) }),
    })
    return { status: response.statusCode, body: response.json() }
  }
  return { ...started, call }
}
export type Monitored = Awaited<ReturnType<typeof startMonitored>>

/** Publishes the analysis of a contract with these taxes, or without where they could not be measured. */
export const publishTaxes = async (bus: Bus, of: string, taxes: { buy_tax: number; sell_tax: number } | undefined) => {
  version += 1
  const body = JSON.parse(bodyOf('rug_pull', 'ETH'))
  const found = { ...body.risk_indicators, ...(taxes ?? { buy_tax: 0, sell_tax: 0 }) }
  const value = {
    operation: 'rug_pull',
    network: 'ETH',
    address: of,
    version,
    body: JSON.stringify({ ...body, risk_indicators: found }),
    reasons: '{"risk":[],"fraud":[]}',
    unknowns: taxes ? '{}' : '{"buy_tax":"no trade","sell_tax":"no trade"}',
    model_version: 'contract-1',
    data_height: version % 1_000_000,
  }
  const producer = await bus.producer()
  const key = recordTopicKey('ETH', of, 'rug_pull')
  await producer.send([{ topic: topics.records, messages: [{ key, value: Buffer.from(JSON.stringify(value)) }] }])
}

/** An alert as the leader makes it, without anybody having been told: a wallet that turned bad. */
export const newAlert = (
  n: number,
  {
    account = 'key_enterprise',
    created = 1_800_000_000_000 + n,
    of = address(n),
    title = 'Uses a mixer',
  }: { account?: string; created?: number; of?: string; title?: string } = {},
): NewAlert => ({
  account,
  alert: alertIdOf(account, n),
  created,
  change: {
    network: 'ETH',
    address: of,
    operation: 'fraud_check',
    direction: 'worse',
    before: null,
    after: {
      status: 'Fraud',
      band: 'very_high',
      probability: '1.00',
      flags: ['mixer'],
      riskStatus: null,
      buyTax: null,
      sellTax: null,
      recordVersion: n,
      recordHash: 'ab'.repeat(32),
      dataHeight: 1,
      modelVersion: 'fraud-1',
    },
    flagsRaised: ['mixer'],
    flagsCleared: [],
    cause: { reasons: [{ code: 'mixer', change: 'added', title }], modelChanged: false },
  },
})

export const createRecordsBus = async (): Promise<MemoryBus> => {
  const bus = createMemoryBus()
  await bus.createTopics([{ topic: topics.records, partitions: 1, compacted: true }])
  return bus
}

export type Said = {
  network?: Network
  flags?: readonly string[]
  probability?: string
  status?: 'Not Fraud' | 'Fraud' | 'New Address'
  reasons?: { code: string; title: string; contribution: number }[]
  /** Withdrawn: every block that named it was undone. */
  withdrawn?: boolean
  model?: string
}

let version = Date.now()

/** A record of a wallet, newer than all before. A flag makes it fraud. */
export const recordOf = (of: string, said: Said = {}): WalletRecord => {
  const { network = 'ETH', flags = [], reasons = [], withdrawn = false, model = 'fraud-1' } = said
  const isFraud = flags.length > 0
  const { probability = isFraud ? '1.00' : '0.0421858616', status = isFraud ? 'Fraud' : 'Not Fraud' } = said
  version += 1
  const body = JSON.parse(bodyOf('fraud_check', network))
  const details = { ...body.forensic_details, ...Object.fromEntries(flags.map((flag) => [flag, '1'])) }
  const lastChecked = new Date(version).toISOString()
  return {
    network,
    address: of,
    version,
    status,
    probability: Number(probability),
    body: withdrawn
      ? ''
      : JSON.stringify({ ...body, status, probabilityFraud: probability, forensic_details: details, lastChecked }),
    reasons: JSON.stringify(reasons),
    unknowns: [],
    offence: '',
    offence_hops: 0,
    model_version: model,
    data_height: version % 1_000_000,
    created_at: 1,
    computed_at: Math.floor(version / 1_000),
  }
}

/** Stores records as the scorer does, without telling anybody. */
export const storeRecords = (store: Store, records: readonly WalletRecord[]) =>
  store.insert('wallet_records', records.map((record) => `${JSON.stringify(record)}\n`).join(''))

/** Publishes records as the scorer does, without storing them. */
export const publish = async (bus: Bus, records: readonly WalletRecord[]) => {
  const producer = await bus.producer()
  await producer.send([{ topic: topics.records, messages: recordMessages(records) }])
}
