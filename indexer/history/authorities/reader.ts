/** Reads the logs of authorities as rows of their table, from any endpoint that has them. */
import type { AuthorityRow } from '../../../schema/block.ts'
import { authorityTopics } from '../../../schema/registry/index.ts'
import type { Range as LogRange } from '../logs/endpoints.ts'
import {
  createLogReader,
  type Doubted,
  type Lacking,
  type LogReader,
  type LogReaderOptions,
} from '../logs/endpoints.ts'
import type { Step } from './plan.ts'
import { rowsOf } from './rows.ts'

type Range = Omit<LogRange<unknown>, 'made'> & { rows: AuthorityRow[]; malformed: number }

/** Reader of the walk's logs. */
export type AuthorityLogReader = Pick<LogReader<unknown>, 'unprovedFrom'> & {
  /** Like `LogReader.read`. @throws RetryableError when endpoints did not answer; RpcError. */
  read: (step: Step, target: number, signal: AbortSignal) => Promise<Range | Lacking | Doubted>
}

/** Reads all logs of a step with one filter, and only the known events of their addresses. */
export const createAuthorityLogReader = (options: LogReaderOptions): AuthorityLogReader => {
  const reader = createLogReader(options, (node, found, verifyHeader) =>
    rowsOf(node, options.network, found, verifyHeader),
  )
  return {
    unprovedFrom: reader.unprovedFrom,
    read: async ({ from, to, logs }, target, signal) => {
      const filter = {
        addresses: logs.map(({ authority }) => authority),
        topics: [[...new Set(logs.flatMap(({ list }) => authorityTopics(list)))]],
      }
      const answer = await reader.read({ from, to, filters: [filter] }, target, signal)
      if (!('made' in answer)) return answer
      const { made, ...range } = answer
      return { ...range, ...made }
    },
  }
}
