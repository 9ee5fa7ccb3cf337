/** Monitoring: watched addresses, their last known verdicts, webhook endpoints and deliveries. */
import { column, flag, instant, network, oneOf, text, uint8, uint16, uint32, uint64, word } from '../column.ts'
import type { SchemaObject } from '../ddl.ts'

/** States of a delivery. */
export const DELIVERY_STATES = ['waiting', 'delivered', 'dead'] as const
/** State of a delivery; `dead` ones are no longer tried. */
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** States of an alert. */
export const ALERT_STATES = ['open', 'under_review', 'closed'] as const
/** Outcome of a closed alert. */
export const ALERT_OUTCOMES = ['false_positive', 'no_action', 'restricted', 'reported'] as const

/** States of an endpoint that its owner can set. */
const ENDPOINT_STATES = ['on', 'paused', 'deleted'] as const

const account = text('Id of the key that began the line of rotated keys it belongs to')
const address = text('Canonical address')
// The store's clock decides which of two states is later, whichever process wrote them.
const version = uint64('Microseconds since the epoch by the clock of the store; the highest is in force', {
  default: 'toUInt64(toUnixTimestamp64Micro(now64(6)))',
})
const stored = instant('When it was stored, by the clock of the store', { default: 'now64(3)' })
const watched = flag('1 while it is watched, 0 from when on it is not')
const endpoint = text('Id of the endpoint')
const ZSTD3 = { codec: 'ZSTD(3)' }
const names = (comment: string) => column<string[]>('Array(LowCardinality(String))', comment)

/** Tables of watch lists, verdicts seen, alerts, endpoints and deliveries. */
export const monitoringObjects: SchemaObject[] = [
  {
    kind: 'table',
    name: 'watch_list',
    comment: 'Addresses that are watched, by account',
    columns: { account, network, address, version, watched, stored },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['account', 'network', 'address'],
    window: 1_000,
  },
  {
    kind: 'table',
    name: 'watchers',
    comment: 'The rows of watch_list in the order of their addresses: who watches an address',
    columns: { network, address, account, version, watched, stored },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['network', 'address', 'account'],
    window: 1_000,
    settings: { index_granularity: 1024 },
  },
  {
    kind: 'feed',
    name: 'watchers_feed',
    to: 'watchers',
    select: 'SELECT network, address, account, version, watched, stored\nFROM watch_list',
  },
  {
    kind: 'table',
    name: 'watch_verdicts',
    comment: 'The last verdict that was compared, of each watched address and operation',
    columns: {
      network,
      address,
      operation: word('fraud_check or rug_pull'),
      version: uint64('Version of the record'),
      verdict: text('JSON of the verdict with the codes of its reasons; null where there is no record', ZSTD3),
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['network', 'address', 'operation'],
    window: 1_000,
    settings: { index_granularity: 1024 },
  },
  {
    kind: 'table',
    name: 'webhook_endpoints',
    comment: 'Endpoints that events are delivered to, as their owners set them up',
    columns: {
      id: endpoint,
      version,
      account,
      state: oneOf(ENDPOINT_STATES, 'on, paused or deleted'),
      url: text('Where events are sent; empty once it is deleted'),
      description: text('What its owner calls it'),
      operations: names('Operations whose verdicts it is told of; empty for all'),
      networks: names('Networks it is told of; empty for all'),
      directions: names('Changes it is told of: worse, better, neutral'),
      secret: text('Secret that signs deliveries, sealed with ASSAY_WEBHOOK_KEY'),
      old_secret: text('Secret before the last rotation, sealed; empty without one'),
      old_until: instant('Until when the old secret signs as well'),
      created: instant('When it was made'),
      enabled: instant('When its owner last turned it on'),
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['id'],
    window: 1_000,
    // Parts with erased secrets are only kept for a moment.
    settings: { old_parts_lifetime: 1 },
  },
  {
    kind: 'table',
    name: 'webhook_health',
    comment: 'How endpoints answer. One that was disabled after its owner turned it on is not sent to',
    columns: {
      endpoint,
      version,
      failing_since: instant('First failure since the last success; the epoch while it answers'),
      failures: uint32('Failures since the last success'),
      disabled: instant('When it was disabled for failing; the epoch when it was not'),
      reason: text('Why it was disabled, or what the last failure was'),
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['endpoint'],
    window: 1_000,
  },
  {
    kind: 'table',
    name: 'webhook_deliveries',
    comment: 'Events by endpoint: what is to be delivered, was delivered, or could not be',
    columns: {
      endpoint,
      id: text('Header webhook-id: the same at each attempt'),
      version,
      account,
      type: word('verdict.changed or ping'),
      network,
      operation: word('Operation whose verdict changed; empty for a ping'),
      body: text('What is sent', ZSTD3),
      state: oneOf(DELIVERY_STATES, 'waiting, delivered or dead'),
      asked: flag('1 when its owner asked for it: a ping, or a replay'),
      attempts: uint8('Attempts since it was made or replayed'),
      status: uint16('HTTP status of the last attempt; 0 where nothing was answered'),
      reason: text('Why the last attempt failed, or why there is none; empty otherwise'),
      created: instant('When it was made'),
      begun: instant('When it was made or replayed'),
      due: instant('Not to be sent before'),
      finished: instant('When it was delivered or given up; the epoch before'),
      stored,
      expires: column<number>("DateTime('UTC')", 'When the row is removed'),
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['endpoint', 'id'],
    ttl: 'expires',
    window: 10_000,
    settings: { index_granularity: 1024 },
  },
  {
    kind: 'table',
    name: 'alert_entries',
    comment: 'Alerts by account: changes of verdicts on watched addresses, and what became of each, entry by entry',
    columns: {
      account,
      alert: text('Id of the alert'),
      entry: uint32('0 is the change itself; what follows is counted up. Of two of one number the first is in force'),
      precedence: uint64('Counts down with the clock of the store; the highest is in force', {
        default: 'bitNot(toUInt64(toUnixTimestamp64Micro(now64(6))))',
      }),
      network,
      address,
      operation: word('Operation whose verdict changed'),
      direction: word('worse or better'),
      body: text('JSON of the change; empty but in entry 0', ZSTD3),
      created: instant('When the change was noticed'),
      at: instant('When the entry was made'),
      state: oneOf(ALERT_STATES, 'open, under_review or closed, from this entry on'),
      outcome: word(
        'What it came to when it was closed: false_positive, no_action, restricted or reported; else empty',
      ),
      comment: text('What was written; empty where only the state changed', ZSTD3),
      key: text('Id of the key that wrote the entry; empty for entry 0'),
      author: text('Name that whoever wrote it gave; empty where none was given'),
      expires: column<number>("DateTime('UTC')", 'When the row is removed'),
    },
    engine: 'ReplacingMergeTree(precedence)',
    orderBy: ['account', 'alert', 'entry'],
    ttl: 'expires',
    window: 10_000,
    settings: { index_granularity: 1024 },
  },
  {
    kind: 'table',
    name: 'monitor_leases',
    comment: 'Which process watches verdicts and delivers events',
    columns: {
      name: text('What is held'),
      version,
      holder: text('Process that holds it; empty when it was given back'),
      held_until: instant('Until when it is believed to live, by the clock of the store'),
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['name'],
    window: 1_000,
  },
  {
    kind: 'table',
    name: 'monitor_positions',
    comment: 'How far topic records was compared. A range that was begun is compared again with the same bounds',
    columns: {
      partition: uint16('Partition of the topic'),
      version,
      next: uint64('Offset that follows what was compared'),
      until: uint64('End of the range that was begun; equal to next when none is'),
      learned: instant('Changes of the watch list stored before were taken over'),
      behind: names('Networks whose records were passed over while they caught up'),
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['partition'],
  },
]
