/**
 * The Store port of one simulated process. The parts of a write become visible one after the other, with time for other
 * work between them; a store that fails leaves some of them out, and the caller without an answer.
 */
import { RetryableError } from '../../../platform/errors.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Faults } from '../virtual/faults.ts'
import type { Process } from '../virtual/process.ts'
import type { Scheduler } from '../virtual/scheduler.ts'
import type { Backend, Steps } from './backend.ts'
import { statementOf } from './statements.ts'

/** Called before every write. */
export type WriteWatch = (write: { table: string; lines: string } | { statement: string; params: object }) => void

type Deps = {
  process: Process
  backend: Backend
  scheduler: Scheduler
  faults: () => Faults
  watch: WriteWatch
}

const unavailable = () => new RetryableError('ASSAY_STORE_UNAVAILABLE', 'the store did not answer')

export const createSimulatedStore = ({ process, backend, scheduler, faults, watch }: Deps): Store => {
  const { random } = scheduler

  /** Errors of the world are not errors of the store, on which the code under test would retry. */
  const soundly = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof RetryableError)) scheduler.fail(error)
      throw error
    }
  }

  /** A statement that the model does not know ends the run at once. */
  const nameOf = (sql: string): string => {
    try {
      return statementOf(sql).name
    } catch (error) {
      scheduler.fail(error)
      throw error
    }
  }

  const carryOut = async (steps: Steps) => {
    for (const [index, step] of steps.entries()) {
      if (index > 0 && random.next() < faults().halfDone) throw unavailable()
      if (index > 0 && random.below(8) === 0)
        await new Promise<void>((resolve) => scheduler.after(random.below(20), resolve))
      await step()
    }
  }

  return {
    embedded: false,
    query: <Answer>(sql: string, params: object = {}) =>
      process.call(`reads ${nameOf(sql)}`, {
        perform: () => soundly(() => backend.query(sql, { ...params }) as Answer[] | Promise<Answer[]>),
        lost: unavailable,
        quiet: true,
      }),
    insert: (table, rows, { token } = {}) => {
      const lines = rows.toString()
      const shown = /^(watermarks|ingest_chunks|covered_ranges)$/.test(table) ? ` ${lines.trim()}` : ''
      return process.call(`inserts into ${table} under ${token ?? 'no token'}${shown}`, {
        perform: () =>
          soundly(() => {
            watch({ table, lines })
            return carryOut(backend.insert(table, lines, token))
          }),
        lost: unavailable,
      })
    },
    command: (sql, params = {}, { token } = {}) =>
      process.call(`runs ${nameOf(sql)} ${JSON.stringify(params)}`, {
        perform: () =>
          soundly(() => {
            watch({ statement: nameOf(sql), params })
            return carryOut(backend.command(sql, params, token))
          }),
        lost: unavailable,
      }),
    healthy: async () => true,
    close: async () => undefined,
  }
}
