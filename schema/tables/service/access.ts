/** API keys and payments. */
import { column, flag, instant, text, uint16, uint64, uint256, word } from '../column.ts'
import type { SchemaObject } from '../ddl.ts'

const version = uint64('Microseconds since the epoch of this state; the highest is in force')

/** Tables of API keys and of payments. */
export const accessObjects: SchemaObject[] = [
  {
    kind: 'table',
    name: 'api_keys',
    comment: 'API keys, hashed: who may call, on which tier, until when',
    columns: {
      id: text('Name of the key in lists, logs and metrics; independent of the key itself'),
      version,
      tier: word('business or enterprise'),
      label: text('Whom or what the key is for, as its creator wrote it'),
      hash: column('FixedString(64)', 'SHA-256 of the key, hex. The key itself is stored nowhere'),
      prefix: text('First characters of the key, to recognise it by'),
      created: instant('When it was made'),
      expires: instant('From when on it is refused; the epoch means never'),
      revoked: flag('1 when it was taken back'),
      replaced: text('Id of the key this one replaced by rotation, else empty'),
      operations: column<string[]>('Array(LowCardinality(String))', 'Operations it may run; empty for all of its tier'),
      networks: column<string[]>('Array(LowCardinality(String))', 'Networks it may ask about; empty for all'),
      sources: column<string[]>('Array(String)', 'Addresses and CIDR ranges it may be used from; empty for all'),
      test: flag('1 for a key that is answered about demonstration addresses only'),
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['id'],
  },
  {
    kind: 'table',
    name: 'usage',
    comment: 'Calls by key, operation and day. Rows are sums that are added up: read with sum(calls)',
    columns: {
      day: column<string>('Date', 'Day of the answers, UTC'),
      key: text('Id of the key'),
      operation: word('Operation'),
      status: uint16('HTTP status that the call was answered with'),
      calls: uint64('Calls'),
    },
    engine: 'SummingMergeTree',
    orderBy: ['key', 'day', 'operation', 'status'],
    window: 1_000,
  },
  {
    kind: 'table',
    name: 'payments',
    comment: 'Ledger of payments by call (x402): what was authorized, what was settled, what was answered',
    columns: {
      key: text('Chain id, asset, payer and nonce of the authorization'),
      attempt: text('One attempt to pay with the authorization; at most one of them is charged'),
      version: uint64('Rank of the state above microseconds since the epoch; the highest is in force'),
      state: word(
        'reserved, settling, pending, released, unknown, settled, confirmed, answered, completed, disputed or refunded; docs/payments.md has their moves',
      ),
      begun: instant('When the answer was ready'),
      moved: instant('When this state was reached'),
      payer: text('Account that signed the authorization, lower-case hex'),
      receiver: text('Account that is paid, lower-case hex'),
      nonce: text('Nonce of the authorization (EIP-3009), hex'),
      valid_before: uint64('Unix seconds after which the authorization cannot be settled any more'),
      amount: uint256('Base units of the asset'),
      asset: text('Token contract, lower-case hex'),
      network: word('CAIP-2 chain id'),
      operation: word('Operation that was paid for'),
      fingerprint: text('SHA-256 of operation and request: the stored answer is given again to the same request only'),
      proof: text('SHA-256 of the payment with its signature: the stored answer is given again to its payer only'),
      request_id: text('Request that carried the payment'),
      transaction: text('Hash of the settlement transaction, empty before'),
      reason: text('Why it is not settled, or the transaction of the refund; empty otherwise'),
      answer: text('Body that was or would have been delivered'),
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['key', 'attempt'],
    window: 1_000,
  },
]
