/** Threads that run the sources as they are written. */
import { Worker, type WorkerOptions } from 'node:worker_threads'

/** Node 22.18 and newer; older ones need tsx. */
const stripsTypes = 'typescript' in process.features && process.features.typescript !== false

/** tsx as a thread can import it. Test runners cannot resolve modules, but run in the folder of the project. */
const tsx = (): string => {
  try {
    return import.meta.resolve('tsx/esm/api')
  } catch {
    return 'tsx/esm/api'
  }
}

/**
 * Starts a thread that runs a TypeScript file. `--import tsx` does not apply to the entry of a thread, so the entry is a
 * line of JavaScript that registers tsx where it is needed and imports the file.
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
