/**
 * Runs the operations for HTTP routes, A2A skills and MCP tools. Callers are already authenticated and within their rate
 * limit.
 */
import type { Context } from '../platform/context/context.ts'
import { isAssayError } from '../platform/errors.ts'
import type { Network, Operation } from '../schema/networks.ts'
import type { ErrorDetail } from '../schema/records/error.ts'
import { OPERATION_LIST, type OperationInfo, type Surface } from '../schema/records/operations.ts'
import type { AnalysisRequest } from '../schema/records/request.ts'
import type { AuditLog } from './accounting/audit/log.ts'
import { type Answer, errorAnswer } from './answers/answer.ts'
import { type CatchingUp, type CatchingUpOf, whileCatchingUp } from './answers/catching-up.ts'
import { type CoverageOf, createCoverageHeaders } from './answers/coverage.ts'
import type { PastKnown, Pasts } from './answers/providers/pasts.ts'
import { Busy, Late } from './answers/reader/compute.ts'
import { createFrame, createStamp, type Frame } from './answers/reader/frame.ts'
import type { Found, Reader } from './answers/reader/reader.ts'
import type { Counts } from './answers/served/counts.ts'
import { SHED } from './http/edge/pressure.ts'
import type { Caller } from './keys/caller.ts'
import { demonstrated } from './keys/demonstration/records.ts'
import { networkRefused, operationRefused } from './keys/restrictions.ts'
import type { Limits } from './limits/limits.ts'

/** Runs an operation on unvalidated input. Never throws. Synchronous if the record is in memory. */
export type Handle = (
  operation: Operation,
  input: unknown,
  caller: Caller,
  surface: Surface,
) => Answer | Promise<Answer>

/** Dependencies of the operations. */
export type OperationsOptions = {
  context: Pick<Context, 'clock' | 'log'>
  reader: Reader
  counts: Counts
  limits: Limits
  /** Networks that this installation indexes. */
  indexed: readonly Network[]
  catchingUp: CatchingUpOf
  coverage: CoverageOf
  /** Fetches the pasts of wallets, if configured. */
  pasts?: Pick<Pasts, 'fetch'> | undefined
  /** Counts answers by caller; nothing is counted without it. */
  count?: ((caller: Caller, operation: Operation, status: number) => void) | undefined
  /** Whether only records in memory are served at the moment. @default never */
  isOverloaded?: (() => boolean) | undefined
  /** Records answers. */
  audit?: AuditLog | undefined
}

type Issue = { path: PropertyKey[]; message: string }

const detailsOf = (issues: readonly Issue[]): ErrorDetail[] =>
  issues.map(({ path, message }) => ({ field: path.join('.') || 'body', reason: message }))

/** The 400 for a request that fails validation. */
export const invalid = (issues: readonly Issue[]): Answer => {
  const details = detailsOf(issues)
  const text = details.map(({ field, reason }) => `${field}: ${reason}`).join('; ')
  return errorAnswer('INVALID_REQUEST', `The request is not valid. ${text}.`, details)
}

/** Block 0 has no transactions, so an index from block 1 is complete. */
const FIRST_WITH_TRANSACTIONS = 1

/**
 * The answer for an address without activity. If the index does not cover the whole chain, the message names the first indexed
 * block, and for wallets the code is NOT_COVERED: the wallet may have been active before.
 * @param past what is known about the activity before that block; `undefined` if it was not fetched
 */
export const notFound = (
  subject: OperationInfo['subject'],
  { network }: AnalysisRequest,
  indexed: readonly Network[],
  coverage: CoverageOf,
  past?: PastKnown | undefined,
): Answer => {
  if (!indexed.includes(network)) {
    return errorAnswer('ANALYSIS_NOT_AVAILABLE', `This server does not index ${network}.`)
  }
  const { firstBlock = null, firstBlockTime = null } = coverage(network) ?? {}
  const since =
    firstBlock === null
      ? ''
      : `, which is indexed since block ${firstBlock}${firstBlockTime === null ? '' : ` (${firstBlockTime.slice(0, 10)})`}`
  const missing = `${subject === 'wallet' ? 'Wallet' : 'Contract'} not found on ${network}${since}`
  const begins = (firstBlock ?? 0) <= FIRST_WITH_TRANSACTIONS
  const isKnown = subject !== 'wallet' || begins || (past !== undefined && past.why === undefined)
  if (isKnown) return errorAnswer('NOT_FOUND', `${missing}.`)
  const open = `${missing}. Its earlier activity is not known`
  const rest = past === undefined ? ': set calculate to true to fetch it' : `: ${past.why}`
  return errorAnswer('NOT_COVERED', `${open}${rest}.`)
}

/** The answer for a failed request. Logs everything but overload. */
export const failed = ({ log }: Pick<Context, 'log'>, operation: string, error: unknown): Answer => {
  if (error instanceof Busy) {
    return errorAnswer('OVERLOADED', 'Too many computations are queued. Try again shortly.', [], {
      'retry-after': '1',
    })
  }
  log.error({ operation, err: error }, 'failed to answer an operation')
  const unavailable =
    error instanceof Late ||
    (isAssayError(error) && error.exitCode === 75) ||
    (error instanceof Error && error.name === 'TimeoutError')
  return unavailable
    ? errorAnswer(
        'DEPENDENCY_UNAVAILABLE',
        'A service that this request depends on did not respond in time. Try again shortly.',
        [],
        { 'retry-after': '2' },
      )
    : errorAnswer('INTERNAL', 'The server failed to answer. The request id identifies the failure.')
}

/**
 * Creates the handler of all operations. It validates the request, checks what the caller may do, serves the record, and
 * counts the answer.
 */
export const createHandle = ({
  context,
  reader,
  counts,
  limits,
  indexed,
  catchingUp,
  coverage,
  pasts,
  count = () => undefined,
  isOverloaded = () => false,
  audit,
}: OperationsOptions): Handle => {
  const { clock } = context
  const headersOf = createCoverageHeaders(coverage)
  const stamp = createStamp(clock.now)
  const frames = new Map<Operation, Frame>(OPERATION_LIST.map(({ id, framing }) => [id, createFrame(framing)]))
  const infos = new Map<Operation, OperationInfo>(OPERATION_LIST.map((info) => [info.id, info]))

  const served = (
    info: OperationInfo,
    frame: Frame,
    request: AnalysisRequest,
    found: Found | undefined,
    /** Whether the network was catching up before the look-up: a record computed meanwhile may lack that data. */
    before: CatchingUp | undefined,
    past?: PastKnown,
  ): Answer => {
    const missing = catchingUp(request.network) ?? before
    const refused = whileCatchingUp(missing, info.id, request.network, found?.entry.body)
    if (refused) return refused
    if (!found) return notFound(info.subject, request, indexed, coverage, past)
    const { counter, body, dataHeight, version } = found.entry
    const { network, address } = request
    const headers = headersOf(network, dataHeight)
    const times = counter ? counts.count(counter) : 1
    return {
      status: 200,
      body: frame(body, request.spelling, times, stamp()),
      outcome: found.outcome,
      about: { network, address, version },
      ...(headers && { headers }),
    }
  }

  const recalculated = async (
    info: OperationInfo,
    frame: Frame,
    request: AnalysisRequest,
    caller: Caller,
    before: CatchingUp | undefined,
  ) => {
    const allowance = await limits.recalculation(caller)
    if (!allowance.allowed) {
      return errorAnswer('RECALCULATION_LIMITED', 'The budget for recalculations is used up.', [], allowance.headers)
    }
    const answerable = info.subject === 'wallet' && before === undefined
    const past = answerable ? await pasts?.fetch(request) : undefined
    return served(info, frame, request, await reader.recalculate(info.id, request), before, past)
  }

  const answered: Handle = (operation, input, caller, surface) => {
    const info = infos.get(operation)
    const frame = frames.get(operation)
    if (!info || !frame) return errorAnswer('UNKNOWN_ROUTE', 'There is no such operation.')
    const refused = operationRefused(caller, operation)
    if (refused) return refused
    const parsed = info.request[surface].safeParse(input)
    if (!parsed.success) return invalid(parsed.error.issues)
    if (!reader.available(operation)) {
      return errorAnswer('ANALYSIS_NOT_AVAILABLE', `This server does not run the analysis for ${info.path}.`)
    }
    const request = parsed.data
    const foreign = networkRefused(caller, request.network)
    if (foreign) return foreign
    if (caller.test) return demonstrated(operation, request, frame)
    const before = catchingUp(request.network)
    // While the network catches up only raised flags of fraud_check are served, so skip the computation for other operations.
    const useless =
      operation === 'fraud_check' ? undefined : whileCatchingUp(before, operation, request.network, undefined)
    if (useless) return useless
    if (isOverloaded() && (request.calculate || !reader.holds(operation, request))) return SHED
    if (request.calculate) {
      return recalculated(info, frame, request, caller, before).catch((error) => failed(context, operation, error))
    }
    const found = reader.find(operation, request)
    return found instanceof Promise
      ? found
          .then((late) => served(info, frame, request, late, before))
          .catch((error) => failed(context, operation, error))
      : served(info, frame, request, found, before)
  }
  return (operation, input, caller, surface) => {
    const enter = (answer: Answer): Answer => {
      count(caller, operation, answer.status)
      audit?.note(caller, operation, input, answer)
      return answer
    }
    const refused = audit?.refusal()
    if (refused) return refused
    const answer = answered(operation, input, caller, surface)
    return answer instanceof Promise ? answer.then(enter) : enter(answer)
  }
}
