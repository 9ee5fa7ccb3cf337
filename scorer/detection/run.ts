/** Runs detectors over a batch, each with the results of those it declares. */
import type { LoadContext } from './context.ts'
import type { Detector, Results } from './detector.ts'

/** Results of each detector by id. Detectors must come after those whose results they read. */
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
        // The map holds the result of each detector under its own id.
        return found as Promise<ReadonlyMap<string, Found>>
      },
    }
    running.set(id, load(context, results))
  }
  return running
}
