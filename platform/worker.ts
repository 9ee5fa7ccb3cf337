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

/** Starts a thread that runs a TypeScript file. */
export const startWorker = (file: URL, options: Omit<WorkerOptions, 'eval'>): Worker => {
  if (stripsTypes) return new Worker(file, options)
  // `--import tsx` does not apply to the entry of a thread, so a line of JavaScript registers tsx and imports the file.
  const entry = `import(${JSON.stringify(tsx())}).then(({ register }) => {
    register()
    return import(${JSON.stringify(file.href)})
  })`
  return new Worker(entry, { ...options, eval: true })
}
