/** MCP over streamable HTTP at `/api/mcp`: stateless, with a JSON response per request. */
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { SURFACE_PREFIX } from '../../schema/records/operations.ts'
import { AGENT_VERSION } from '../a2a/card.ts'
import type { AgentRoutesOptions } from '../a2a/routes.ts'
import { type Answer, errorAnswer } from '../answers/answer.ts'
import type { Core, Extension } from '../api.ts'
import { isOwnOrigin } from '../http/edge/transport.ts'
import { sendAnswer } from '../http/errors.ts'
import { installDocument } from '../http/public-document.ts'
import { installRawBody, RAW_CONFIG, type RawRoute, serveRaw } from '../http/raw.ts'
import { mcpManifest } from './manifest.ts'
import { createMcpServer } from './server.ts'

const PATH = `${SURFACE_PREFIX.agent}/mcp`

const call = z.looseObject({ method: z.literal('tools/call') })

const refusal = (code: number, message: string): Answer => ({
  status: 400,
  body: JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }),
  outcome: String(code),
})
const NO_JSON = refusal(-32_700, 'Parse error: the body is not JSON')
/** MCP dropped batches in 2025-06-18. A batch would run many calls for one unit of the limit or one payment. */
const NO_BATCH = refusal(-32_600, 'Invalid request: batches are not supported. Send one request per POST.')

const FOREIGN = errorAnswer('ORIGIN_NOT_ALLOWED', 'Web pages of other origins may not call the tools of this server.')

/** Valid values for `Headers`, which throws on others (RFC 9110, 5.5). */
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/

/** The request for the MCP transport, without body. Uses our own host, because the caller's Host may be invalid. */
const webRequest = (request: FastifyRequest): Request => {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && name !== 'content-length' && FIELD_VALUE.test(value)) headers.set(name, value)
  }
  return new Request(`http://localhost${PATH}`, { method: 'POST', headers })
}

const answer: RawRoute['answer'] = async (body, _caller, perform, request) => {
  if (body === undefined) return { answer: NO_JSON }
  if (Array.isArray(body)) return { answer: NO_BATCH }
  const server = createMcpServer(async (operation, input) => {
    const { status, body } = await perform(operation, input)
    return { status, body: JSON.parse(body) as Record<string, unknown> }
  }, AGENT_VERSION)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  try {
    await server.connect(transport)
    const response = await transport.handleRequest(webRequest(request), { parsedBody: body })
    return { answer: { status: response.status, body: await response.text(), outcome: 'mcp' } }
  } finally {
    await server.close()
  }
}

/** Adds the MCP server to listeners of the agent surface. */
export const mcpRoutes =
  ({ publicUrl, receiver }: AgentRoutesOptions): Extension =>
  async (app, core: Core, listener) => {
    if (!listener.surfaces.includes('agent')) return
    installDocument(app, `${PATH}/server.json`, publicUrl, (baseUrl) => mcpManifest({ baseUrl, receiver }))
    await app.register(async (scope) => {
      installRawBody(scope)
      scope.addHook('onRequest', async (request, reply) =>
        isOwnOrigin(request, publicUrl) ? undefined : sendAnswer(reply, FOREIGN),
      )
      scope.post(
        PATH,
        { config: RAW_CONFIG },
        serveRaw(core, {
          kind: 'mcp',
          description: 'One tool call',
          path: PATH,
          publicUrl,
          needsCaller: (body) => call.safeParse(body).success,
          answer,
        }),
      )
    })
  }
