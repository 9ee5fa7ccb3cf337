/**
 * Pins a process to one replica. Every response names its server in a header. A response of another replica is not used, and
 * the store refuses all later calls until the process restarts, which lets the new replica catch up.
 */
import { OperatorError } from '../../errors.ts'

/** Header with the server's name. */
const NAME_HEADER = 'x-clickhouse-server-display-name'

/** The part of a response that names its server. */
export type Answer = { headers: Readonly<Record<string, string | string[] | undefined>> }

const serverOf = ({ headers }: Answer): string => String(headers[NAME_HEADER] ?? '')

const refuse = (what: string) =>
  new OperatorError(
    'ASSAY_STORE_SERVER_CHANGED',
    `${what} Another replica may lack the newest rows, so the response was not used. Set CLICKHOUSE_URL to one replica instead of a load balancer, and start again.`,
  )

/**
 * Checks the servers of responses. A recreated server may have another name and still be the same replica.
 * @param ask runs a statement that returns the replica's macro, and returns its response.
 */
export const createPin = (ask: () => Promise<{ replica: string; answer: Answer }>) => {
  const replicas = new Map<string, string>()
  let home: string | undefined
  let refusal: OperatorError | undefined

  const learn = async () => {
    const { replica, answer } = await ask()
    const name = serverOf(answer)
    if (name === '')
      throw refuse('The responses of ClickHouse do not name their server (a proxy may remove the header).')
    replicas.set(name, replica)
    home ??= replica
  }

  return {
    /** Before a call. @throws OperatorError ASSAY_STORE_SERVER_CHANGED */
    check: (): void => {
      if (refusal) throw refusal
    },
    /** After a call. @throws OperatorError ASSAY_STORE_SERVER_CHANGED */
    observe: async (answer: Answer): Promise<void> => {
      const name = serverOf(answer)
      try {
        if (!replicas.has(name)) await learn()
        if (replicas.has(name) && replicas.get(name) === home) return
        throw refuse(`Server ${name} answered instead of replica ${home}.`)
      } catch (error) {
        if (error instanceof OperatorError && error.code === 'ASSAY_STORE_SERVER_CHANGED') refusal = error
        throw error
      }
    },
  }
}
