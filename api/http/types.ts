/** What our hooks keep on Fastify's requests and replies. */
import type { Operation } from '../../schema/networks.ts'
import type { ExtensionInfo } from '../../schema/records/extensions.ts'
import type { Caller } from '../keys/caller.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once a key was accepted. */
    caller: Caller | undefined
  }
  interface FastifyReply {
    /** How the answer came about, for metrics and logs. */
    outcome: string
  }
  interface FastifyContextConfig {
    operation?: Operation | ExtensionInfo['id'] | 'screen' | 'usage' | 'monitoring'
    /** Whether payments are looked at, and keys too. */
    takesPayments?: boolean
    /** Whether the route refuses by itself what costs something while the server is overloaded. */
    shedsItself?: true
  }
}
