/** Batched JSON-RPC calls to a local node. anvil executes the calls of a batch concurrently, so calls that depend on each
 * other belong in separate batches. */
import { z } from 'zod'
import { BugError, RetryableError } from '../../../platform/errors.ts'

/** One JSON-RPC call. */
export type RpcCall = readonly [method: string, params: readonly unknown[]]

/** A client of a local node over HTTP. */
export type Rpc = {
  url: string
  /**
   * Results in the order of the calls.
   * @throws RetryableError ASSAY_DEMO_NODE_SILENT when the node does not answer
   * @throws BugError ASSAY_DEMO_CALL_REFUSED when it answers any call with an error
   */
  batch: (calls: readonly RpcCall[]) => Promise<unknown[]>
  call: (method: string, ...params: unknown[]) => Promise<unknown>
}

const answers = z.array(
  z.object({ id: z.number(), result: z.unknown().optional(), error: z.object({ message: z.string() }).optional() }),
)

const ask = async (url: string, body: string, signal: AbortSignal): Promise<unknown> => {
  try {
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body, signal })
    return await response.json()
  } catch (cause) {
    throw new RetryableError(
      'ASSAY_DEMO_NODE_SILENT',
      `The local chain at ${url} did not answer. The demonstration stopped. Start again; it resumes from its last saved block.`,
      { cause },
    )
  }
}

/** `timeoutMs` limits each request, whatever its number of calls. */
export const createRpc = (url: string, timeoutMs = 60_000): Rpc => {
  const batch: Rpc['batch'] = async (calls) => {
    if (calls.length === 0) return []
    const body = JSON.stringify(calls.map(([method, params], id) => ({ jsonrpc: '2.0', id, method, params })))
    const parsed = answers.parse(await ask(url, body, AbortSignal.timeout(timeoutMs)))
    const byId = new Map(parsed.map((answer) => [answer.id, answer]))
    return calls.map(([method, params], id) => {
      const answer = byId.get(id)
      if (answer && !answer.error) return answer.result
      throw new BugError(
        'ASSAY_DEMO_CALL_REFUSED',
        `The local chain refused ${method}: ${answer?.error?.message ?? 'no answer'}. The demonstration stopped. Report it with this line: ${JSON.stringify(params).slice(0, 300)}`,
      )
    })
  }
  return { url, batch, call: async (method, ...params) => (await batch([[method, params]]))[0] }
}

/** Parses a hexadecimal quantity below 2^53 into a number. */
export const quantity = z.string().transform((text) => Number(BigInt(text)))
/** A number as a JSON-RPC quantity. */
export const toQuantity = (value: number | bigint): string => `0x${value.toString(16)}`
