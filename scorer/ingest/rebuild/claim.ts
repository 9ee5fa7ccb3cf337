/** One process's hold on the rebuild of a network: the states it enters and confirms, and the wait for writers. */
import type { Clock } from '../../../platform/context/clock.ts'
import { OperatorError } from '../../../platform/errors.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Network } from '../../../schema/networks.ts'
import { enterRebuild, isAlive, type RebuildState, rebuildRunning, SILENT_MS } from './states.ts'
import { workingWriters } from './writers.ts'

/** How often the state is confirmed while tables are filled, ms. */
const CONFIRM_MS = 5_000
const LOOK_MS = 250

/** What a rebuild begins with. */
export type Beginning = Omit<RebuildState, 'version' | 'age' | 'state'>

/** A hold on a rebuild. A process that says nothing for `SILENT_MS` has lost it to whoever comes next. */
export type Claim = {
  state: () => RebuildState | undefined
  /** Enters a state; what the change leaves out stays. @throws OperatorError ASSAY_REBUILD_RUNNING */
  enter: (change: Partial<RebuildState> & Pick<RebuildState, 'state'>) => Promise<RebuildState>
  /** Enters the state again where nobody has heard of it for some seconds. */
  confirm: (change?: Partial<RebuildState>) => Promise<void>
  /**
   * Waits until no writer can be in the middle of something. A store of this process alone has no other.
   * @throws OperatorError ASSAY_REBUILD_WRITER
   */
  quiet: () => Promise<void>
}

/**
 * @param before the newest state there is.
 * @param fresh what a network that was never rebuilt begins with.
 * @throws OperatorError ASSAY_REBUILD_RUNNING when another process is at work
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
    quiet: async () => {
      const deadline = clock.now() + 2 * SILENT_MS
      while (!store.embedded) {
        const working = await workingWriters(store, network)
        if (working.length === 0) return
        signal.throwIfAborted()
        if (clock.now() >= deadline) {
          throw new OperatorError(
            'ASSAY_REBUILD_WRITER',
            `A scorer of ${network} (${working.join(', ')}) did not pause. Nothing was changed. Stop it, and run the command again.`,
          )
        }
        await enter({ state: 'building' })
        await clock.sleep(LOOK_MS)
      }
    },
  }
}
