/** Runs detectors over a batch, each with the results of those it declares. */
import type { LoadContext } from './context.ts'
import type { Detector, Results } from './detector.ts'

/** What each detector loads, by its id. Detectors stand below those whose results they read. */
export const runDetectors = (
  detectors: readonly Detector[],
  context: LoadContext,
): Map<string, Promise<ReadonlyMap<string, unknown>>> => {
  const running = new Map<string, Promise<ReadonlyMap<string, unknown>>>()
  for (const { id, after, load } of detectors) {
    if (!load) continue
    const results: Results = {
      of: <Found>(other: Pick<Detector<Found>, 'id' | 'load'>) => {
        const found = after.some((one) => one.id === other.id) ? running.get(other.id) : undefined
        if (!found)
          throw new Error(`${id} reads ${other.id}, which it does not declare or which does not stand above it`)
        // What runs under an id was loaded by the detector of that id.
        return found as Promise<ReadonlyMap<string, Found>>
      },
    }
    running.set(id, load(context, results))
  }
  return running
}
