/** The audit log: requests, and the version of each answer. See `docs/operate/audit-log.md`. */
import { instant, oneOf, text, uint16, uint64, word } from '../column.ts'
import type { SchemaObject } from '../ddl.ts'

/** Kinds of entries: an answer to a key, an answer to a payment, the end of a process that stopped in order. */
export const AUDIT_KINDS = ['key', 'payment', 'end'] as const

const ZSTD3 = { codec: 'ZSTD(3)' }
const chain = word('Chain of entries: one for each start of an API process')
const key = text('Id of the key, or the account that paid; empty at the end of a chain')

/** Tables of the audit log and its chains. */
export const auditObjects: SchemaObject[] = [
  {
    kind: 'table',
    name: 'audit_log',
    comment:
      'Answers to keys and payments as chains of hashes. Only ever added to, but for what is older than its retention',
    columns: {
      chain,
      seq: uint64('Number of the entry in its chain, from 1, without gaps'),
      at: instant('When it was answered'),
      kind: oneOf(AUDIT_KINDS, 'key, payment or end'),
      key,
      operation: word('Operation; empty at the end of a chain'),
      network: word('Network code; empty when the request named none that is known'),
      status: uint16('HTTP status of the answer; 0 at the end of a chain'),
      lost: uint64('Answers before this entry that have none, because the store was away for too long'),
      secret: text('Id of the secret that seals the entry; empty at the end of a chain'),
      sealed: text('Address, version of the record and SHA-256 of the body: AES-256-GCM, base64', ZSTD3),
      hash: text('SHA-256 of the hash before it and of all columns of the entry, hex'),
    },
    engine: 'MergeTree',
    orderBy: ['chain', 'seq'],
    window: 1_000,
  },
  {
    kind: 'table',
    name: 'audit_secrets',
    comment:
      'Secrets that seal entries of the audit log, by key and chain. Without its secret an entry cannot be read any more',
    columns: {
      id: text('Id of the secret'),
      chain,
      key,
      secret: text('The secret, base64'),
      made: instant('When it was made'),
    },
    engine: 'MergeTree',
    orderBy: ['key', 'id'],
    window: 1_000,
    // Parts with erased secrets are only kept for a moment.
    settings: { old_parts_lifetime: 1 },
  },
  {
    kind: 'table',
    name: 'audit_anchors',
    comment:
      'Where chains of the audit log begin after their oldest entries were removed. The highest seq of a chain is in force',
    columns: {
      chain,
      seq: uint64('Number of the last removed entry'),
      hash: text('Its hash, hex'),
      at: instant('When it was answered'),
      removed: instant('When it was removed'),
    },
    engine: 'ReplacingMergeTree(seq)',
    orderBy: ['chain'],
    window: 1_000,
  },
]
