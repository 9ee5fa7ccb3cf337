/**
 * Endpoints in the tables. Their owners write what they are, the process that delivers writes how they answer.
 *
 * A change names the version it was made from, and its insert carries a token made of it: of two that were made from one version
 * the store keeps the first, whichever replicas they came from. The other one finds nothing of its own and is made anew.
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
/** The same, carried out by the store when it gets to it, also when it is started again in between. */
const REMOVE = ERASE.map((statement) => `${statement.trimEnd()} SETTINGS lightweight_deletes_sync = 0`)

/** How an endpoint is that answers. */
export const HEALTHY = { failing_since: 0, failures: 0, disabled: 0, reason: '' }

const millis = z.coerce.number()
const endpointRow = z
  .object({
    id: z.string(),
    /** Microseconds since the epoch, later than that of the change before. */
    version: millis,
    account: z.string(),
    state: z.enum(['on', 'paused']),
    url: z.string(),
    description: z.string(),
    /** Empty lists mean all. */
    operations: z.array(z.string()),
    networks: z.array(z.string()),
    directions: z.array(z.enum(DIRECTIONS)),
    /** Sealed. */
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
  // What was noted before its owner turned it on does not count any more.
  .transform((row) => (row.enabled > row.failing_since ? { ...row, ...HEALTHY } : row))
/** An endpoint with its terms and its health. Its secrets are sealed. */
export type Endpoint = z.output<typeof endpointRow>

/** What its owner decides about an endpoint. `version` is the one it was changed from, 0 for a new one. */
export type EndpointTerms = Omit<Endpoint, 'failing_since' | 'failures' | 'disabled' | 'reason'>
/** How an endpoint answers. */
export type Health = Pick<Endpoint, 'failing_since' | 'failures' | 'disabled' | 'reason'>

/** A random id, so that nobody meets the endpoint of somebody else. */
export const newEndpointId = (): string => `hook_${randomBytes(12).toString('hex')}`

/** To whom the secret of an endpoint is sealed. */
export const sealOwner = ({ account, id }: Pick<Endpoint, 'account' | 'id'>): string => `${account}/${id}`

/** Whether an endpoint was disabled since its owner last turned it on. */
export const isDisabled = ({ disabled, enabled }: Pick<Endpoint, 'disabled' | 'enabled'>): boolean =>
  disabled > 0 && disabled >= enabled

/** Endpoints of all accounts. */
export type Endpoints = {
  ofAccount: (account: string) => Promise<Endpoint[]>
  all: () => Promise<Endpoint[]>
  /** Differs as soon as an endpoint was made, changed or removed by its owner. */
  version: () => Promise<string>
  /** False when the endpoint was changed or removed since the version that is named. Nothing was changed then. */
  write: (terms: EndpointTerms) => Promise<boolean>
  writeHealth: (endpoint: string, health: Health) => Promise<void>
  /** Removes an endpoint at once for everybody; the store removes its secrets and deliveries soon after. */
  remove: (endpoint: Pick<Endpoint, 'id' | 'account'>) => Promise<void>
  /** Removes an endpoint with its secrets and deliveries; a mark of its id stays. */
  erase: (endpoint: Pick<Endpoint, 'id' | 'account'>) => Promise<void>
}

/** What a row has where nothing is said. */
const NOTHING = {
  url: '',
  description: '',
  operations: [],
  networks: [],
  directions: [],
  secret: '',
  old_secret: '',
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(3)

/** What two changes of one endpoint can differ in. */
const CONTENT = ['state', 'url', 'description', 'operations', 'networks', 'directions', 'secret', 'old_secret'] as const
type Content = Pick<Endpoint, 'id' | 'account'> & { state: Endpoint['state'] | 'deleted' } & Partial<
    Pick<Endpoint, Exclude<(typeof CONTENT)[number], 'state'>>
  >
const isSame = (a: object, b: object): boolean =>
  CONTENT.every((name) => JSON.stringify(Reflect.get(a, name)) === JSON.stringify(Reflect.get(b, name)))

/** Changes that a removal is made anew after. */
const TRIES = 10

/** `now` in milliseconds since the epoch. */
export const createEndpoints = (store: Store, now: () => number = Date.now): Endpoints => {
  const find = async (account: string) =>
    z.array(endpointRow).parse(await store.query(ENDPOINTS, { account }, { route: 'webhook_endpoints' }))
  const insert = (table: string, row: object) => store.insert(table, `${JSON.stringify(row)}\n`)
  /** Writes a row that follows the version `seen`; false when another one does. */
  const follow = async (row: Content, seen: number): Promise<boolean> => {
    const version = Math.max(now() * 1_000, seen + 1)
    await store.insert('webhook_endpoints', `${JSON.stringify({ ...row, version })}\n`, {
      token: `webhook_endpoints:${row.id}:${seen}`,
    })
    const [kept] = await store.query<object>(ROW, { id: row.id, version }, { route: 'webhook_endpoint_row' })
    return kept !== undefined && isSame({ ...NOTHING, ...row }, kept)
  }
  const markRemoved = async ({ id, account }: Pick<Endpoint, 'id' | 'account'>): Promise<void> => {
    for (let tries = 0; tries < TRIES; tries++) {
      const found = (await find(account)).find((one) => one.id === id)
      if (!found || (await follow({ id, account, state: 'deleted' }, found.version))) return
    }
    throw new RetryableError(
      'ASSAY_STORE_UNAVAILABLE',
      'An endpoint was changed all the time while it was to be removed. It was not removed. Try again.',
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
