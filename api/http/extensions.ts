/** Extensions of the contract: explanations of verdicts, and batches. Enterprise surface only. */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Context } from '../../platform/context/context.ts'
import type { Network, Operation } from '../../schema/networks.ts'
import { BATCHES, EXPLANATIONS, type ExplanationInfo, type ExtensionInfo } from '../../schema/records/extensions.ts'
import { OPERATIONS } from '../../schema/records/operations.ts'
import { batchRequest } from '../../schema/records/service/batches.ts'
import type { AuditLog } from '../accounting/audit/log.ts'
import { type Answer, errorAnswer } from '../answers/answer.ts'
import { batchAnswer } from '../answers/batch-answer.ts'
import { type CatchingUpOf, whileCatchingUp } from '../answers/catching-up.ts'
import { type CoverageOf, createCoverageHeaders } from '../answers/coverage.ts'
import type { Explanations } from '../answers/providers/explanations/explain.ts'
import type { Reader } from '../answers/reader/reader.ts'
import { atOnce } from '../at-once.ts'
import type { Caller } from '../keys/caller.ts'
import { NOT_DEMONSTRATED as NOT_EXPLAINED } from '../keys/demonstration/records.ts'
import { networkRefused, operationRefused } from '../keys/restrictions.ts'
import { failed, type Handle, invalid, notFound } from '../operations.ts'
import type { Authorize } from './authorize.ts'
import { sendAnswer } from './errors.ts'
import { requireKey } from './routes.ts'

const BATCH_BYTES = 256 * 1024
/** Concurrency within a batch, so that wallets without a record do not crowd out other callers. */
const AT_ONCE = 64
const DEADLINE_MS = 10_000

/** Dependencies of the extensions. */
export type ExtensionsOptions = {
  context: Pick<Context, 'log'>
  authorize: Authorize
  handle: Handle
  reader: Pick<Reader, 'available' | 'find'>
  explanations: Explanations | undefined
  indexed: readonly Network[]
  catchingUp: CatchingUpOf
  coverage: CoverageOf
  /** Records answers; nothing is recorded without it. */
  audit?: AuditLog | undefined
}

/** Adds the routes of explanations and batches. Explanations state their coverage. */
export const installExtensions = (app: FastifyInstance, options: ExtensionsOptions): void => {
  const { context, authorize, handle, reader, explanations = {}, indexed, catchingUp, coverage, audit } = options
  const headersOf = createCoverageHeaders(coverage)

  const explained = async (about: ExplanationInfo, input: unknown, caller: Caller): Promise<Answer> => {
    const { [about.explains]: info } = OPERATIONS
    const { [about.id]: explain } = explanations
    const unasked = operationRefused(caller, info.id)
    if (unasked) return unasked
    const parsed = about.request.safeParse(input)
    if (!parsed.success) return invalid(parsed.error.issues)
    const foreign = networkRefused(caller, parsed.data.network)
    if (foreign) return foreign
    if (caller.test) return NOT_EXPLAINED
    if (!explain || !reader.available(info.id)) {
      return errorAnswer('ANALYSIS_NOT_AVAILABLE', 'This server does not explain verdicts.')
    }
    const request = parsed.data
    try {
      // Scores a wallet that has activity but no record yet.
      const before = catchingUp(request.network)
      const found = await reader.find(info.id, request)
      const refused = whileCatchingUp(
        catchingUp(request.network) ?? before,
        info.id,
        request.network,
        found?.entry.body,
      )
      if (refused) return refused
      const told = found && (await explain(request, AbortSignal.timeout(DEADLINE_MS)))
      if (!told) return notFound(info.subject, request, indexed, coverage)
      const { network, address, spelling } = request
      const known = coverage(network)
      const body = {
        message: 'Success',
        [info.framing.addressField]: spelling,
        chain: network,
        ...told.fields,
        coverage: known ? { ...known, ...told.coverage } : null,
      }
      const headers = headersOf(network, told.fields.dataHeight)
      return {
        status: 200,
        body: JSON.stringify(body),
        outcome: found.outcome,
        about: { network, address, version: found.entry.version },
        ...(headers && { headers }),
      }
    } catch (error) {
      return failed(context, about.id, error)
    }
  }
  const explainedAndNoted = async (about: ExplanationInfo, input: unknown, caller: Caller): Promise<Answer> => {
    const refused = audit?.refusal()
    if (refused) return refused
    const answer = await explained(about, input, caller)
    audit?.note(caller, about.id, input, answer)
    return answer
  }
  const batch = async (
    operation: Operation,
    { body: input, headers: { accept = '' } }: FastifyRequest,
    caller: Caller,
  ) => {
    const refused = operationRefused(caller, operation)
    if (refused) return refused
    const parsed = batchRequest.safeParse(input)
    if (!parsed.success) return invalid(parsed.error.issues)
    const { wallets } = parsed.data
    const most = authorize.window(caller)
    if (wallets.length > most) {
      const message = `must not have more than ${most} items, the rate limit of your tier`
      return invalid([{ path: ['wallets'], message }])
    }
    // The request itself was already counted as one call.
    const admitted = wallets.length > 1 ? await authorize.admit(caller, wallets.length - 1) : undefined
    if (admitted && 'refused' in admitted) return admitted.refused
    const answers = await atOnce(AT_ONCE, wallets, (wallet) => handle(operation, wallet, caller, 'enterprise'))
    const { headers, ...answer } = batchAnswer(answers, 'batch', accept.includes('application/x-ndjson'))
    return { ...answer, headers: { ...admitted?.headers, ...headers } }
  }

  type AnswerTo = (request: FastifyRequest, caller: Caller) => Promise<Answer>
  const install = ({ id, path, batchOf }: ExtensionInfo, answerTo: AnswerTo) => {
    const route = { onRequest: requireKey(authorize), config: { operation: id } }
    app.post(path, batchOf ? { ...route, bodyLimit: BATCH_BYTES } : route, async (request, reply) => {
      if (!request.caller) throw new TypeError('a request without caller reached a handler')
      return sendAnswer(reply, await answerTo(request, request.caller))
    })
  }
  for (const info of EXPLANATIONS) install(info, (request, caller) => explainedAndNoted(info, request.body, caller))
  for (const info of BATCHES) install(info, (request, caller) => batch(info.batchOf, request, caller))
}
