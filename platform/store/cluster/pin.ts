/**
 * Keeps a process on one replica. Every answer names its server in a header; an answer of another replica than the first one is
 * not used, and from then on the store refuses everything until the process starts again, which lets the new replica catch up.
 */
import { OperatorError } from '../../errors.ts'

/** Header in which a server states its name. */
const NAME_HEADER = 'x-clickhouse-server-display-name'

/** Of an answer, what names the server it came from. */
export type Answer = { headers: Readonly<Record<string, string | string[] | undefined>> }

const serverOf = ({ headers }: Answer): string => String(headers[NAME_HEADER] ?? '')

const refuse = (what: string) =>
  new OperatorError(
    'ASSAY_STORE_SERVER_CHANGED',
    `${what} What one replica has just stored another may not have yet, so its answer was not used. Let CLICKHOUSE_URL lead to one replica, without a balancer, and start again.`,
  )

/**
 * Looks at the answers of a server. A server that was made anew may have another name and still be the same replica.
 * @param ask a statement that returns the replica's macro, and the answer it came in.
 */
export const createPin = (ask: () => Promise<{ replica: string; answer: Answer }>) => {
  const replicas = new Map<string, string>()
  let home: string | undefined
  let refusal: OperatorError | undefined

  const learn = async () => {
    const { replica, answer } = await ask()
    const name = serverOf(answer)
    if (name === '')
      throw refuse('The answers of ClickHouse do not name their server (a proxy may take the header away).')
    replicas.set(name, replica)
    home ??= replica
  }

  return {
    /** Before a call. @throws OperatorError ASSAY_STORE_SERVER_CHANGED */
    check: (): void => {
      if (refusal) throw refusal
    },
    /** After a call. @throws OperatorError ASSAY_STORE_SERVER_CHANGED */
    saw: async (answer: Answer): Promise<void> => {
      const name = serverOf(answer)
      try {
        if (!replicas.has(name)) await learn()
        if (replicas.has(name) && replicas.get(name) === home) return
        throw refuse(`Another replica than ${home} answers (server ${name}).`)
      } catch (error) {
        if (error instanceof OperatorError && error.code === 'ASSAY_STORE_SERVER_CHANGED') refusal = error
        throw error
      }
    },
  }
}
