/** `assay keys`: API keys in the store. Every API replica sees a change within seconds. */
import { createKeys, type Keys, type KeyTerms, type StoredKey } from '../../api/keys/keys.ts'
import { isSource } from '../../api/keys/restrictions.ts'
import type { Config } from '../../platform/config/config.ts'
import { OperatorError } from '../../platform/errors.ts'
import { parseNetwork } from '../../schema/networks.ts'
import { OPERATIONS, TIERS } from '../../schema/records/operations.ts'
import { createContext } from '../process/process.ts'
import { openToolStore } from '../process/store-socket.ts'

const UNITS_MS: Record<string, number> = { h: 3_600_000, d: 86_400_000 }
const DEFAULT_GRACE = '24h'

/** Options of a new key as given on the command line. Lists are comma-separated. */
export type CreateKeyOptions = {
  tier: string
  name: string
  expires?: string
  operations?: string
  networks?: string
  ip?: string
  test?: boolean
  json?: boolean
}

const optionError = (message: string) => new OperatorError('ASSAY_KEYS_OPTION', `${message} Nothing was changed.`)

const durationOf = (text: string): number | undefined => {
  const [, count, unit = ''] = /^(\d{1,5})([hd])$/.exec(text) ?? []
  const ms = UNITS_MS[unit]
  return ms === undefined ? undefined : Number(count) * ms
}

/** Expiry of a key, ms since the epoch. */
const expiryOf = (text: string, now: number): number => {
  const duration = durationOf(text)
  const end = duration === undefined ? Date.parse(/^\d{4}-\d\d-\d\d/.test(text) ? text : '') : now + duration
  if (end > now) return end
  throw optionError(`--expires ${text} is not a future time. Write 90d, 12h or a date such as 2027-01-31.`)
}

const graceOf = (text: string): number => {
  const duration = durationOf(text)
  if (duration !== undefined) return duration
  throw optionError(`--grace ${text} is not a duration. Write 24h, 7d or 0h.`)
}

/** Items of a comma-separated list, each parsed with `read`. */
const itemsOf = (option: string, text: string | undefined, read: (item: string) => string | undefined): string[] =>
  (text?.split(',') ?? []).map((item) => {
    const known = read(item.trim())
    if (known !== undefined) return known
    throw optionError(`${option} does not accept ${item.trim() || 'an empty item'}.`)
  })

const termsOf = (
  { expires, operations, networks, ip, test = false }: CreateKeyOptions,
  tier: string,
  now: number,
): Partial<KeyTerms> => {
  const ofTier = Object.values(OPERATIONS).filter(({ tiers }) => tiers.some((name) => name === tier))
  return {
    ...(expires !== undefined && { expires: expiryOf(expires, now) }),
    operations: itemsOf('--operations', operations, (item) => ofTier.find(({ id }) => id === item)?.id),
    networks: itemsOf('--networks', networks, parseNetwork),
    sources: itemsOf('--ip', ip, (item) => (isSource(item) ? item : undefined)),
    test,
  }
}

const withKeys = async (config: Config, work: (keys: Keys) => Promise<string>): Promise<void> => {
  const context = createContext({ ASSAY_LOG_LEVEL: 'warn' }, 'keys')
  try {
    const store = await openToolStore(context, config)
    process.stdout.write(`${await work(createKeys({ store, clock: context.clock }))}\n`)
  } finally {
    await context.lifecycle.close()
  }
}

/**
 * `assay keys create`: prints the key once. The store holds only its hash.
 * @throws OperatorError ASSAY_KEYS_TIER, ASSAY_KEYS_OPTION
 */
export const createKeyCommand = (config: Config, given: CreateKeyOptions): Promise<void> => {
  const tier = TIERS.find((name) => name === given.tier)
  if (!tier) {
    throw new OperatorError(
      'ASSAY_KEYS_TIER',
      `There is no tier ${given.tier}, so no key was created. Choose one of ${TIERS.join(', ')}.`,
    )
  }
  const terms = termsOf(given, tier, Date.now())
  return withKeys(config, async (keys) => {
    const { id, key } = await keys.create(tier, given.name, terms)
    if (given.json) return JSON.stringify({ id, tier, name: given.name, key })
    return `${id}  ${tier}  ${given.name}\n${key}\nThis is the only time the key is shown.`
  })
}

const restrictionsOf = ({ expires, operations, networks, sources, test }: StoredKey): string =>
  [
    ...(test ? ['test'] : []),
    ...(expires > 0 ? [`until ${new Date(expires).toISOString()}`] : []),
    ...[operations, networks, sources].flatMap((names) => (names.length > 0 ? [names.join(',')] : [])),
  ].join('; ')

const stateOf = ({ revoked, expires }: { revoked: boolean; expires: number }, now: number): string =>
  revoked ? 'revoked' : expires > 0 && expires < now ? 'expired' : 'in force'

/** `assay keys list`: id, tier, restrictions and state of every key. The output has no keys or hashes. */
export const listKeysCommand = (config: Config, { json = false }: { json?: boolean } = {}): Promise<void> =>
  withKeys(config, async (keys) => {
    const now = Date.now()
    const all = await keys.list()
    if (json) return JSON.stringify(all.map(({ hash: _, ...key }) => ({ ...key, state: stateOf(key, now) })))
    const lines = all.map((key) =>
      [
        key.id,
        key.tier.padEnd(10),
        stateOf(key, now).padEnd(8),
        new Date(key.created).toISOString(),
        key.prefix,
        key.label,
        restrictionsOf(key),
      ]
        .join('  ')
        .trimEnd(),
    )
    return lines.length > 0
      ? lines.join('\n')
      : 'There are no keys yet. Create one with: assay keys create --tier business --name NAME'
  })

/** `assay keys revoke`: ends a key permanently. A key that replaced it stays valid. */
export const revokeKeyCommand = (config: Config, id: string): Promise<void> =>
  withKeys(config, async (keys) => {
    await keys.revoke(id)
    return `${id} is revoked.`
  })

/** `assay keys rotate`: creates a key with the terms of the old one, which stays valid for a grace period. */
export const rotateKeyCommand = (
  config: Config,
  id: string,
  { grace = DEFAULT_GRACE, json = false }: { grace?: string; json?: boolean },
): Promise<void> => {
  const graceMs = graceOf(grace)
  return withKeys(config, async (keys) => {
    const made = await keys.rotate(id, graceMs)
    if (json) return JSON.stringify({ ...made, replaces: id, graceMs })
    const old = graceMs > 0 ? `which stays valid for ${grace}` : 'which has ended'
    return `${made.id} replaces ${id}, ${old}.\n${made.key}\nThis is the only time the key is shown.`
  })
}
