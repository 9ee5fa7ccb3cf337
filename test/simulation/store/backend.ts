/** Backend of the Store port in a simulation: the model, or a real engine, during whose work virtual time stands still. */
import type { QueryParams, Store } from '../../../platform/store/store.ts'
import type { Scheduler } from '../virtual/scheduler.ts'
import type { StoreModel } from './model.ts'
import { parseRows, statementOf } from './statements.ts'
import type { Row } from './table.ts'

/** Parts of a write that become visible one after the other. */
export type Steps = (() => void | Promise<void>)[]

export type Backend = {
  query: (sql: string, params: QueryParams) => Row[] | Promise<Row[]>
  insert: (table: string, lines: string, token: string | undefined) => Steps
  command: (sql: string, params: QueryParams, token: string | undefined) => Steps
}

export const modelBackend = (model: StoreModel): Backend => ({
  query: (sql, params) => {
    const effect = statementOf(sql).handler(model, params, undefined)
    if (!('rows' in effect)) throw new Error('a statement that writes was sent as a query')
    return effect.rows
  },
  insert: (table, lines, token) => model.insertion(table, parseRows(model, table, lines), token),
  command: (sql, params, token) => {
    const effect = statementOf(sql).handler(model, params, token)
    if (!('steps' in effect)) throw new Error('a statement that reads was sent as a command')
    return effect.steps
  },
})

export const realBackend = (store: Store, scheduler: Scheduler): Backend => {
  const options = (token: string | undefined) => (token === undefined ? {} : { token })
  return {
    query: (sql, params) => scheduler.outside(store.query<Row>(sql, params)),
    insert: (table, lines, token) => [() => scheduler.outside(store.insert(table, lines, options(token)))],
    command: (sql, params, token) => [() => scheduler.outside(store.command(sql, params, options(token)))],
  }
}
