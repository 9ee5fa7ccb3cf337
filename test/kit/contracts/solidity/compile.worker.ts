/** Compiles sources in its own process: receives { id, source }, answers { id, contracts, problem }. */
import { compileSource } from './compile.ts'

process.on('message', (job: { id: number; source: string }) => {
  try {
    process.send?.({ id: job.id, ...compileSource(job.source) })
  } catch (error) {
    process.send?.({ id: job.id, contracts: [], problem: String(error) })
  }
})
