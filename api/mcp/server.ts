/** The five operations as tools of the Model Context Protocol. */
import { McpServer, type StandardSchemaWithJSON } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { Operation } from '../../schema/networks.ts'
import { OPERATION_LIST, type OperationInfo } from '../../schema/records/operations.ts'
import { exampleAddress } from '../../schema/records/request.ts'
import type { Performed } from '../a2a/agent.ts'
import { UNTRUSTED_TEXTS } from '../docs/llms.ts'

/** Runs an operation for the caller of the request. */
export type Perform = (operation: Operation, input: Record<string, unknown>) => Promise<Performed>

/** Input schema of a tool. It is lenient: the operation's own schema validates, so that errors are those of the API. */
const inputOf = (operation: OperationInfo) => {
  const network = z.string().meta({ description: 'Network of the address', enum: operation.networks })
  const withoutNetwork = { walletAddress: exampleAddress(operation.networks[0]) }
  return z.object({
    network: operation.request.agent.safeParse(withoutNetwork).success ? network.optional() : network,
    walletAddress: z
      .string()
      .meta({ description: `Address of the ${operation.subject}, in the format of its network` }),
    ...(operation.calculate && {
      calculate: z
        .boolean()
        .optional()
        .meta({ description: 'true scores the wallet again instead of returning the latest score' }),
    }),
  })
}

/** A schema with JSON Schema support (Standard Schema 1). */
type Described = { readonly '~standard': StandardSchemaWithJSON['~standard'] }

/** Caches the JSON Schema of a schema, because every request creates a server that needs it. */
export const describedOnce = ({ '~standard': standard }: Described): Described => {
  const once = (convert: Described['~standard']['jsonSchema']['input']) => {
    const made = new Map<string, Record<string, unknown>>()
    return (options: Parameters<typeof convert>[0]) => {
      const known = made.get(options.target) ?? convert(options)
      made.set(options.target, known)
      return known
    }
  }
  const { input, output } = standard.jsonSchema
  return { '~standard': { ...standard, jsonSchema: { input: once(input), output: once(output) } } }
}

const TOOLS = OPERATION_LIST.map((operation) => ({
  id: operation.id,
  about: {
    title: operation.title,
    description: `${operation.summary}. Networks: ${operation.networks.join(', ')}.`,
    inputSchema: describedOnce(inputOf(operation)),
    outputSchema: describedOnce(operation.record),
    annotations: { readOnlyHint: true, openWorldHint: true },
  },
}))

/**
 * A server for one request of one caller. An error of an operation is a tool error whose text is the API's error body; only
 * records match the output schema.
 */
export const createMcpServer = (perform: Perform, version: string): McpServer => {
  // listChanged needs streams, which this server does not have.
  const server = new McpServer(
    { name: 'assay', version },
    { capabilities: { tools: { listChanged: false } }, instructions: UNTRUSTED_TEXTS },
  )
  for (const { id, about } of TOOLS) {
    server.registerTool(id, about, async (input) => {
      const { status, body } = await perform(id, input as Record<string, unknown>)
      const isError = status !== 200
      const text = JSON.stringify(isError ? { status, ...body } : body)
      return { content: [{ type: 'text', text }], ...(!isError && { structuredContent: body }), isError }
    })
  }
  return server
}
