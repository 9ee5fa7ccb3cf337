/** Starts threads that run TypeScript sources directly. */
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Node 22.18 and newer; older ones need tsx. */
const stripsTypes = 'typescript' in process.features && process.features.typescript !== false

/** URL of tsx for a thread's import. Test runners cannot resolve modules, but run in the project's folder. */
const tsx = (): string => {
  try {
    return import.meta.resolve('tsx/esm/api')
  } catch {
    return 'tsx/esm/api'
  }
}

/**
 * Starts a thread that runs a TypeScript file. `--import tsx` does not apply to a thread's entry, so the entry is a line of
 * JavaScript that registers tsx if needed and imports the file.
 * @param ready message to the parent once the file is loaded.
 */
export const startWorker = (file: URL, options: Omit<WorkerOptions, 'eval'>, ready?: string): Worker => {
  const steps = [
    ...(stripsTypes ? [] : [`(await import(${JSON.stringify(tsx())})).register()`]),
    `await import(${JSON.stringify(file.href)})`,
    ...(ready === undefined ? [] : [`require('node:worker_threads').parentPort.postMessage(${JSON.stringify(ready)})`]),
  ]
  return new Worker(`(async () => { ${steps.join('; ')} })()`, { ...options, eval: true })
}
