/** Properties that our hooks add to Fastify's requests, replies and route configuration. */
import type { Operation } from '../../schema/networks.ts'
import type { ExtensionInfo } from '../../schema/records/extensions.ts'
import type { Caller } from '../keys/caller.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once a key is accepted. */
    caller: Caller | undefined
  }
  interface FastifyReply {
    /** Error code, or the source of the answer, for metrics and logs. */
    outcome: string
  }
  interface FastifyContextConfig {
    operation?: Operation | ExtensionInfo['id'] | 'screen' | 'usage' | 'monitoring'
    /** Whether the route verifies payments and keys. */
    takesPayments?: boolean
    /** Whether the handler itself refuses costly requests while the server is overloaded. */
    shedsItself?: true
  }
}
