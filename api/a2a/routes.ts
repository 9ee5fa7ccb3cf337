/** The agent over HTTP: its card, its capabilities, and JSON-RPC at `/api/a2a`, with and without a trailing slash. */
import { SURFACE_PREFIX } from '../../schema/records/operations.ts'
import type { Answer } from '../answers/answer.ts'
import type { Core, Extension } from '../api.ts'
import { installDocument } from '../http/public-document.ts'
import { installRawBody, type PerformOne, RAW_CONFIG, type RawAnswer, serveRaw } from '../http/raw.ts'
import { deprecation } from '../http/versions.ts'
import type { Caller } from '../keys/caller.ts'
import { type AgentAnswer, createAgent } from './agent.ts'
import { agentCard, capabilities } from './card.ts'
import { createMessagePayments } from './payment/message-payment.ts'
import type { RpcResponse } from './protocol.ts'
import { createSharedTasks } from './shared-tasks.ts'

const PATH = `${SURFACE_PREFIX.agent}/a2a`
const CARD_PATH = '/.well-known/agent-card.json'
/** Path of the card in A2A 0.2. */
const OLD_CARD_PATH = '/.well-known/agent.json'
const OLD_CARD = deprecation({
  since: '2026-11-22',
  sunset: '2027-11-22',
  link: `<${CARD_PATH}>; rel="successor-version"`,
})
/** Caller of methods that run no operation and need no key. */
const NOBODY: Caller = { kind: 'key', tier: 'business', id: '' }

const NOTED: RawAnswer = { answer: { status: 204, body: '', outcome: 'notification' } }

const toAnswer = (answered: AgentAnswer | undefined): RawAnswer => {
  if (!answered) return NOTED
  const { response, keep } = answered
  const outcome = 'error' in response ? String(response.error.code) : response.result.status.state
  return { answer: { status: 200, body: JSON.stringify(response), outcome }, keep }
}

const objectOf = ({ status, body }: Answer) => ({
  status,
  body: JSON.parse(body) as Record<string, unknown>,
})

/** Settings of this installation for the agent and the MCP server. */
export type AgentRoutesOptions = {
  /** URL of the agent surface on the card. Default: the URL of the request. */
  publicUrl?: string | undefined
  /** Account that receives payments. Without it the agent accepts API keys only. */
  receiver?: string | undefined
  /** Redis through which replicas share their tasks. */
  redisUrl?: string | undefined
}

/** Adds the agent to listeners of the agent surface. */
export const agentRoutes =
  ({ publicUrl, receiver, redisUrl }: AgentRoutesOptions): Extension =>
  async (app, core: Core, listener) => {
    if (!listener.surfaces.includes('agent')) return
    const { context } = core
    const shared = redisUrl === undefined ? undefined : createSharedTasks(context, redisUrl)
    if (shared) context.lifecycle.onClose('tasks of replicas', shared.close)
    const agent = createAgent({
      shared,
      now: context.clock.now,
      onError: (err) => context.log.error({ err }, 'failed to answer an agent message'),
    })

    const handle = (body: unknown, caller: Caller, perform: PerformOne) =>
      agent.handle(body, caller, async (skill, input) => objectOf(await perform(skill, input)))

    const card = (baseUrl: string) => agentCard({ baseUrl, receiver })
    for (const path of [CARD_PATH, PATH]) installDocument(app, path, publicUrl, card)
    installDocument(app, OLD_CARD_PATH, publicUrl, card, OLD_CARD)
    const list = (baseUrl: string) => capabilities({ baseUrl, receiver })
    installDocument(app, `${SURFACE_PREFIX.agent}/capabilities`, publicUrl, list)

    await app.register(async (scope) => {
      installRawBody(scope)
      const serve = serveRaw(core, {
        kind: 'a2a',
        description: 'One call of the agent',
        path: PATH,
        publicUrl,
        needsCaller: agent.needsCaller,
        messagePayment: createMessagePayments({ handle, toAnswer, remember: agent.remember, now: context.clock.now }),
        answer: async (body, caller, perform) => toAnswer(await handle(body, caller ?? NOBODY, perform)),
        replayed: (caller, { body }) => {
          const response = JSON.parse(body) as RpcResponse
          if ('result' in response) agent.remember(caller, response.result)
        },
      })
      for (const path of [PATH, `${PATH}/`]) scope.post(path, { config: RAW_CONFIG }, serve)
    })
  }
