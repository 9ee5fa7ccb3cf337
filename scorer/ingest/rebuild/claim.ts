/** A process's claim on the rebuild of a network: enters and confirms states, and waits for writers. */
import type { Clock } from '../../../platform/context/clock.ts'
import { OperatorError } from '../../../platform/errors.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { enterRebuild, isAlive, type RebuildState, rebuildRunning, SILENT_MS } from './states.ts'
import { workingWriters } from './writers.ts'

/** How often the state is confirmed while tables are filled, ms. */
const CONFIRM_MS = 5_000
const LOOK_MS = 250

/** Initial fields of a rebuild. */
export type Beginning = Omit<RebuildState, 'version' | 'age' | 'state'>

/** A claim on a rebuild. Another process may take it over after `SILENT_MS` without confirmation. */
export type Claim = {
  state: () => RebuildState | undefined
  /** Enters a state. Fields absent from the change keep their values. @throws OperatorError ASSAY_REBUILD_RUNNING */
  enter: (change: Partial<RebuildState> & Pick<RebuildState, 'state'>) => Promise<RebuildState>
  /** Enters the same state again if the last confirmation is some seconds old. */
  confirm: (change?: Partial<RebuildState>) => Promise<void>
  /**
   * Waits until no writer is working. An embedded store has no other writers.
   * @throws OperatorError ASSAY_REBUILD_WRITER
   */
  waitForWriters: () => Promise<void>
}

/**
 * @param before newest state
 * @param fresh initial fields for a network that was never rebuilt
 * @throws OperatorError ASSAY_REBUILD_RUNNING if another process is working
 */
export const createClaim = (
  { store, clock, signal }: { store: Store; clock: Clock; signal: AbortSignal },
  network: Network,
  before: RebuildState | undefined,
  fresh: Beginning,
): Claim => {
  if (isAlive(before) && !store.embedded) throw rebuildRunning(network)
  let now = before
  let confirmedAt = clock.now()
  const enter: Claim['enter'] = async (change) => {
    const { version: _, age: __, ...same }: RebuildState = now ?? { ...fresh, version: 0n, age: 0, state: 'building' }
    now = await enterRebuild(store, network, now, { ...same, ...change })
    confirmedAt = clock.now()
    return now
  }
  return {
    state: () => now,
    enter,
    confirm: async (change = {}) => {
      if (now && clock.now() - confirmedAt >= CONFIRM_MS) await enter({ state: now.state, ...change })
    },
    waitForWriters: async () => {
      const deadline = clock.now() + 2 * SILENT_MS
      while (!store.embedded) {
        const working = await workingWriters(store, network)
        if (working.length === 0) return
        signal.throwIfAborted()
        if (clock.now() >= deadline) {
          throw new OperatorError(
            'ASSAY_REBUILD_WRITER',
            `A scorer of ${network} (${working.join(', ')}) did not pause. Nothing was changed. Stop the scorer, then run the command again.`,
          )
        }
        await enter({ state: 'building' })
        await clock.sleep(LOOK_MS)
      }
    },
  }
}
