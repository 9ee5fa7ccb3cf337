/**
 * Stored endpoints. Owners write their settings; the leader writes their health.
 *
 * Optimistic concurrency: the insert token of a change contains the version it is based on. Of two changes based on one version the store
 * keeps the first, on whichever replicas they were made. The writer of the other does not find its row, and repeats the change.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { RetryableError } from '../../../platform/errors.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import { DIRECTIONS } from '../../../schema/records/service/monitoring.ts'

const sql = (name: string) => readSql(import.meta.url, `./sql/${name}.sql`)
const ENDPOINTS = sql('endpoints')
const ROW = sql('endpoint-row')
const VERSION = sql('endpoints-version')
const ERASE = ['erase-endpoint', 'erase-health', 'erase-deliveries'].map(sql)
/** The same, executed by the store in the background, even across a restart. */
const REMOVE = ERASE.map((statement) => `${statement.trimEnd()} SETTINGS lightweight_deletes_sync = 0`)

/** Health of a working endpoint. */
export const HEALTHY = { failing_since: 0, failures: 0, disabled: 0, reason: '' }

const millis = z.coerce.number()
const endpointRow = z
  .object({
    id: z.string(),
    /** Microseconds since the epoch; increases with each change. */
    version: millis,
    account: z.string(),
    state: z.enum(['on', 'paused']),
    url: z.string(),
    description: z.string(),
    /** Empty lists mean all. */
    operations: z.array(z.string()),
    networks: z.array(z.string()),
    directions: z.array(z.enum(DIRECTIONS)),
    /** Encrypted. */
    secret: z.string(),
    old_secret: z.string(),
    /** Times are milliseconds since the epoch; 0 means never. */
    old_until: millis,
    created: millis,
    enabled: millis,
    failing_since: millis,
    failures: z.number(),
    disabled: millis,
    reason: z.string(),
  })
  // Health from before the owner last enabled the endpoint no longer counts.
  .transform((row) => (row.enabled > row.failing_since ? { ...row, ...HEALTHY } : row))
/** An endpoint with settings and health. Its secrets are encrypted. */
export type Endpoint = z.output<typeof endpointRow>

/** Settings of an endpoint. `version` is the version the change is based on; 0 for a new endpoint. */
export type EndpointTerms = Omit<Endpoint, 'failing_since' | 'failures' | 'disabled' | 'reason'>
/** Health of an endpoint. */
export type Health = Pick<Endpoint, 'failing_since' | 'failures' | 'disabled' | 'reason'>

/** A random, unguessable id. */
export const newEndpointId = (): string => `hook_${randomBytes(12).toString('hex')}`

/** Additional data that binds an encrypted secret to its endpoint. */
export const sealOwner = ({ account, id }: Pick<Endpoint, 'account' | 'id'>): string => `${account}/${id}`

/** Whether an endpoint was disabled since its owner last enabled it. */
export const isDisabled = ({ disabled, enabled }: Pick<Endpoint, 'disabled' | 'enabled'>): boolean =>
  disabled > 0 && disabled >= enabled

/** Endpoints of all accounts. */
export type Endpoints = {
  ofAccount: (account: string) => Promise<Endpoint[]>
  all: () => Promise<Endpoint[]>
  /** Changes whenever an owner creates, changes or removes an endpoint. */
  version: () => Promise<string>
  /** Returns false, without a change, if the endpoint was changed or removed since the given version. */
  write: (terms: EndpointTerms) => Promise<boolean>
  writeHealth: (endpoint: string, health: Health) => Promise<void>
  /** Removes an endpoint. Effective at once; the store deletes its secrets and deliveries soon after. */
  remove: (endpoint: Pick<Endpoint, 'id' | 'account'>) => Promise<void>
  /** Deletes an endpoint with its secrets and deliveries. A tombstone of its id stays. */
  erase: (endpoint: Pick<Endpoint, 'id' | 'account'>) => Promise<void>
}

/** Column defaults. */
const DEFAULTS = {
  url: '',
  description: '',
  operations: [],
  networks: [],
  directions: [],
  secret: '',
  old_secret: '',
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3)

/** Columns in which two changes of an endpoint can differ. */
const CONTENT = ['state', 'url', 'description', 'operations', 'networks', 'directions', 'secret', 'old_secret'] as const
type Content = Pick<Endpoint, 'id' | 'account'> & { state: Endpoint['state'] | 'deleted' } & Partial<
    Pick<Endpoint, Exclude<(typeof CONTENT)[number], 'state'>>
  >
const isSame = (a: object, b: object): boolean =>
  CONTENT.every((name) => JSON.stringify(Reflect.get(a, name)) === JSON.stringify(Reflect.get(b, name)))

/** Attempts at a removal that conflicts with changes. */
const TRIES = 10

/** `now` in milliseconds since the epoch. */
export const createEndpoints = (store: Store, now: () => number = Date.now): Endpoints => {
  const find = async (account: string) =>
    z.array(endpointRow).parse(await store.query(ENDPOINTS, { account }, { route: 'webhook_endpoints' }))
  const insert = (table: string, row: object) => store.insert(table, `${JSON.stringify(row)}\n`)
  /** Writes a row based on version `seen`. Returns false if another row follows that version. */
  const follow = async (row: Content, seen: number): Promise<boolean> => {
    const version = Math.max(now() * 1_000, seen + 1)
    await store.insert('webhook_endpoints', `${JSON.stringify({ ...row, version })}\n`, {
      token: `webhook_endpoints:${row.id}:${seen}`,
    })
    const [kept] = await store.query<object>(ROW, { id: row.id, version }, { route: 'webhook_endpoint_row' })
    return kept !== undefined && isSame({ ...DEFAULTS, ...row }, kept)
  }
  const markRemoved = async ({ id, account }: Pick<Endpoint, 'id' | 'account'>): Promise<void> => {
    for (let tries = 0; tries < TRIES; tries++) {
      const found = (await find(account)).find((one) => one.id === id)
      if (!found || (await follow({ id, account, state: 'deleted' }, found.version))) return
    }
    throw new RetryableError(
      'ASSAY_STORE_UNAVAILABLE',
      'The endpoint was not removed, because other requests kept changing it. Try again.',
    )
  }
  const removeBy = async (statements: readonly string[], endpoint: Pick<Endpoint, 'id' | 'account'>) => {
    await markRemoved(endpoint)
    const { id } = endpoint
    for (const statement of statements) await store.command(statement, { endpoint: id })
  }
  return {
    ofAccount: (account) => find(account),
    all: () => find(''),
    version: async () => {
      const rows = await store.query<{ version: string }>(VERSION, {}, { route: 'webhook_endpoints_version' })
      return rows[0]?.version ?? ''
    },
    write: ({ old_until, created, enabled, version, ...terms }) => {
      const times = { old_until: seconds(old_until), created: seconds(created), enabled: seconds(enabled) }
      return follow({ ...terms, ...times }, version)
    },
    writeHealth: (endpoint, { failing_since, disabled, ...health }) =>
      insert('webhook_health', {
        endpoint,
        ...health,
        failing_since: seconds(failing_since),
        disabled: seconds(disabled),
      }),
    remove: (endpoint) => removeBy(REMOVE, endpoint),
    erase: (endpoint) => removeBy(ERASE, endpoint),
  }
}
