/** Logs of authorities in the store, as after a walk that read them. */
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { type AuthorityLog, authorityLogsOf } from '../../../schema/registry/index.ts'
import type { AuthorityLogState } from '../../../schema/topics.ts'

const FOR_EVER = 2 ** 30
let version = 1

/** Marks logs of a network as read (all unless `which` selects), from block 0 to any height; `over` replaces fields. */
export const writeLogsRead = async (
  store: Store,
  network: Network,
  over: Partial<AuthorityLogState> = {},
  which: (log: AuthorityLog) => boolean = () => true,
): Promise<void> => {
  const rows = authorityLogsOf(network)
    .filter(which)
    .map(({ authority, list, name }) => ({
      ...{ network, authority, list, name, since: 0, from_block: 0, to_block: FOR_EVER, target: FOR_EVER },
      ...{ complete: 1, source: 'test', reason: '', left_seconds: 0, version: (version++).toString() },
      ...over,
    }))
  await store.insert('authority_logs', rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
}
