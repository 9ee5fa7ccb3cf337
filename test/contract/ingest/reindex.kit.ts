import type { Bus } from '../../../platform/bus/bus.ts'
import { migrate } from '../../../platform/store/migrate/migrate.ts'
import { openStore } from '../../../platform/store/open.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { type FromBusOutcome, rebuildFromBus } from '../../../scorer/ingest/rebuild/from-bus/from-bus.ts'
import type { OnStep } from '../../../scorer/ingest/steps.ts'
import { testContext } from '../../kit/context.ts'

/** What a tool beside a process at work does: it waits for scorers, and opens the new database in the same folder. */
export const reindexFromBus = async (
  { store, path, bus }: { store: Store; path: string; bus: Bus },
  network: Network,
  { onStep = () => undefined, prepare = false }: { onStep?: OnStep; prepare?: boolean } = {},
): Promise<FromBusOutcome> => {
  const context = testContext()
  const { log, metrics, lifecycle } = context
  const openDraft = async (database: string) => {
    const draft = await openStore({ path, database, readers: 1, log, metrics })
    lifecycle.onClose('draft', () => draft.close())
    await migrate({ store: draft, log })
    return draft
  }
  const shared = { ...store, embedded: false }
  const { signal } = new AbortController()
  try {
    return await rebuildFromBus(
      { store: shared, context, bus, signal, progress: () => undefined, openDraft, onStep },
      network,
      prepare,
    )
  } finally {
    await lifecycle.close()
  }
}
