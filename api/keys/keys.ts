/** Creates, lists, revokes and rotates API keys, for `assay keys` and for bootstrap keys. */
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { Clock } from '../../platform/context/clock.ts'
import { OperatorError } from '../../platform/errors.ts'
import type { Store } from '../../platform/store/store.ts'
import { TIERS, type Tier } from '../../schema/records/operations.ts'
import { hashKey, newKey, newKeyId, shownPrefix } from './key.ts'
import { type Restrictions, UNRESTRICTED } from './restrictions.ts'

const LIST = readFileSync(new URL('sql/list_keys.sql', import.meta.url), 'utf8')

const millis = z.coerce.number()
const names = z.array(z.string()).readonly()
const storedKey = z.object({
  id: z.string(),
  tier: z.enum(TIERS),
  label: z.string(),
  /** SHA-256 of the key, hex. */
  hash: z.string(),
  prefix: z.string(),
  /** Milliseconds since the epoch. */
  created: millis,
  /** Milliseconds since the epoch; 0 means never. */
  expires: millis,
  revoked: z.coerce.number().transform((value) => value === 1),
  replaced: z.string(),
  operations: names,
  networks: names,
  sources: names,
  test: z.coerce.number().transform((value) => value === 1),
})
/** A key as it is stored: its hash, never the key. */
export type StoredKey = z.output<typeof storedKey>

/** A key with the version of its row. The row with the highest version is in force. */
const versionedKey = storedKey.extend({ version: z.coerce.number() })

/** A new key. Only the hash of `key` is stored. */
export type CreatedKey = { id: string; tier: Tier; key: string }

/** Terms of a new key beside its tier. */
export type KeyTerms = Restrictions & {
  /** Milliseconds since the epoch; 0 means never. */
  expires: number
  /** Whether it is a test key, which gets demonstration records only. */
  test: boolean
}

/** Keys in the store. Every replica applies a change within seconds. */
export type Keys = {
  list: () => Promise<StoredKey[]>
  create: (tier: Tier, label: string, terms?: Partial<KeyTerms>) => Promise<CreatedKey>
  /** Ends a key at once. @throws OperatorError ASSAY_KEYS_UNKNOWN */
  revoke: (id: string) => Promise<void>
  /** Creates a successor on the same terms. The old key stays valid for `graceMs`, but not beyond its expiry. @throws OperatorError ASSAY_KEYS_UNKNOWN */
  rotate: (id: string, graceMs: number) => Promise<CreatedKey>
  /** Creates configured keys that do not exist. A revoked key stays revoked. */
  ensure: (keys: readonly { tier: Tier; key: string }[]) => Promise<void>
}

/** Appends row versions instead of changing rows. Versions only grow, so a clock that was set back revives no key. */
export const createKeys = ({ store, clock }: { store: Store; clock: Pick<Clock, 'now'> }): Keys => {
  const list = async () => z.array(versionedKey).parse(await store.query(LIST, undefined, { route: 'api_keys' }))

  /** @param before version of the replaced row. The new version is higher even if the clock is behind. */
  const write = (key: StoredKey, before = 0) => {
    const row = {
      ...key,
      version: Math.max(clock.now() * 1_000, before + 1),
      created: (key.created / 1_000).toFixed(3),
      expires: (key.expires / 1_000).toFixed(3),
      revoked: key.revoked ? 1 : 0,
      test: key.test ? 1 : 0,
    }
    return store.insert('api_keys', `${JSON.stringify(row)}\n`)
  }

  const add = async (
    tier: Tier,
    label: string,
    key: string,
    replaced: string,
    { id = newKeyId(), ...terms }: Partial<KeyTerms> & { id?: string } = {},
  ): Promise<CreatedKey> => {
    await write({
      id,
      tier,
      label,
      hash: hashKey(key),
      prefix: shownPrefix(key),
      created: clock.now(),
      expires: 0,
      revoked: false,
      replaced,
      ...UNRESTRICTED,
      test: false,
      ...terms,
    })
    return { id, tier, key }
  }

  const find = async (id: string) => {
    const known = (await list()).find((key) => key.id === id && !key.revoked)
    if (known) return known
    throw new OperatorError(
      'ASSAY_KEYS_UNKNOWN',
      `There is no key ${id} in force. Nothing was changed. \`assay keys list\` shows the ids.`,
    )
  }

  return {
    list,
    create: (tier, label, terms) => add(tier, label, newKey(terms?.test ? 'test' : tier), '', terms),
    revoke: async (id) => {
      const { version, ...key } = await find(id)
      await write({ ...key, revoked: true }, version)
    },
    rotate: async (id, graceMs) => {
      const { version, ...old } = await find(id)
      const { tier, label, expires, operations, networks, sources, test } = old
      const made = await add(tier, label, newKey(test ? 'test' : tier), old.id, {
        expires,
        operations,
        networks,
        sources,
        test,
      })
      const end = clock.now() + graceMs
      await write(
        graceMs > 0 ? { ...old, expires: expires === 0 ? end : Math.min(expires, end) } : { ...old, revoked: true },
        version,
      )
      return made
    },
    ensure: async (wanted) => {
      const known = new Set((await list()).map(({ hash }) => hash))
      for (const { tier, key } of wanted) {
        const hash = hashKey(key)
        // The id derives from the key, so that replicas that start together write the same row.
        if (!known.has(hash)) await add(tier, 'bootstrap', key, '', { id: `key_${hash.slice(0, 12)}` })
      }
    },
  }
}
