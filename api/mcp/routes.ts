/** MCP over streamable HTTP at `/api/mcp`: one stateless exchange a request, answered as JSON. */
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { SURFACE_PREFIX } from '../../schema/records/operations.ts'
import { AGENT_VERSION } from '../a2a/card.ts'
import { errorAnswer } from '../answer.ts'
import type { Core, Extension } from '../api.ts'
import type { Caller } from '../caller.ts'
import { installRawBody, type RawAnswer, serveRaw } from '../http/raw.ts'
import { createMcpServer } from './server.ts'

const PATH = `${SURFACE_PREFIX.agent}/mcp`

const call = z.looseObject({ method: z.literal('tools/call') })
const callResult = z.object({ result: z.looseObject({ isError: z.boolean().optional() }) })

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const hasCall = (value: unknown): boolean =>
  Array.isArray(value) ? value.some((item) => call.safeParse(item).success) : call.safeParse(value).success

/** Only a tool that ran and did not fail is owed for. */
const isOwed = (text: string): boolean => {
  const parsed = callResult.safeParse(jsonOf(text))
  return parsed.success && parsed.data.result.isError !== true
}

const webRequest = (request: FastifyRequest, text: string): Request => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && name !== 'content-length') headers.set(name, value)
  }
  return new Request(`http://${request.host}${PATH}`, { method: 'POST', headers, body: text })
}

export const mcpRoutes =
  ({ publicUrl }: { publicUrl?: string | undefined }): Extension =>
  async (app, core: Core, listener) => {
    if (!listener.surfaces.includes('agent')) return
    const answer = async (text: string, caller: Caller | undefined, request: FastifyRequest): Promise<RawAnswer> => {
      const server = createMcpServer(async (operation, input) => {
        const result = caller
          ? await core.handle(operation, input, caller, 'agent')
          : errorAnswer('KEY_MISSING', 'The header x-api-key is missing.')
        return { status: result.status, body: JSON.parse(result.body) as Record<string, unknown> }
      }, AGENT_VERSION)
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
      try {
        await server.connect(transport)
        const response = await transport.handleRequest(webRequest(request, text))
        const body = await response.text()
        return {
          answer: { status: response.status, body, outcome: 'mcp' },
          owed: hasCall(jsonOf(text)) && isOwed(body),
        }
      } finally {
        await server.close()
      }
    }
    await app.register(async (scope) => {
      installRawBody(scope)
      scope.post(
        PATH,
        serveRaw(core, {
          kind: 'mcp',
          description: 'One tool call',
          path: PATH,
          publicUrl,
          needsCaller: (text) => hasCall(jsonOf(text)),
          answer,
        }),
      )
    })
  }
