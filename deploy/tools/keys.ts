/** `assay keys`: API keys in the store. Every replica of the API knows a change within seconds. */
import { createKeys, type Keys } from '../../api/keys/keys.ts'
import type { Config } from '../../platform/config.ts'
import { OperatorError } from '../../platform/errors.ts'
import { TIERS } from '../../schema/records/operations.ts'
import { createContext } from '../process/process.ts'
import { openToolStore } from '../process/store-socket.ts'

const GRACE_MS = 24 * 3_600_000

const withKeys = async (config: Config, work: (keys: Keys) => Promise<string>): Promise<void> => {
  const context = createContext({ ASSAY_LOG_LEVEL: 'warn' }, 'keys')
  try {
    const store = await openToolStore(context, config)
    process.stdout.write(`${await work(createKeys({ store, clock: context.clock }))}\n`)
  } finally {
    await context.lifecycle.close()
  }
}

export const createKeyCommand = (config: Config, given: { tier: string; name: string }): Promise<void> => {
  const tier = TIERS.find((name) => name === given.tier)
  if (!tier) {
    throw new OperatorError(
      'ASSAY_KEYS_TIER',
      `There is no tier ${given.tier}, so no key was made. Name one of ${TIERS.join(', ')}.`,
    )
  }
  return withKeys(config, async (keys) => {
    const { id, key } = await keys.create(tier, given.name)
    return `${id}  ${tier}  ${given.name}\n${key}\nThis is the only time the key is shown.`
  })
}

const stateOf = ({ revoked, expires }: { revoked: boolean; expires: number }, now: number): string =>
  revoked ? 'revoked' : expires > 0 && expires < now ? 'expired' : 'in force'

export const listKeysCommand = (config: Config): Promise<void> =>
  withKeys(config, async (keys) => {
    const now = Date.now()
    const lines = (await keys.list()).map((key) =>
      [
        key.id,
        key.tier.padEnd(10),
        stateOf(key, now).padEnd(8),
        new Date(key.created).toISOString(),
        key.prefix,
        key.label,
      ].join('  '),
    )
    return lines.length > 0
      ? lines.join('\n')
      : 'There are no keys yet. Make one with: assay keys create --tier business --name NAME'
  })

export const changeKeyCommand = (config: Config, verb: 'revoke' | 'rotate', id: string): Promise<void> =>
  withKeys(config, async (keys) => {
    if (verb === 'revoke') {
      await keys.revoke(id)
      return `${id} is revoked.`
    }
    const made = await keys.rotate(id, GRACE_MS)
    return `${made.id} replaces ${id}, which goes on for a day.\n${made.key}\nThis is the only time the key is shown.`
  })
