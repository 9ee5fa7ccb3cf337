/**
 * Assigns nonces to concurrent settlements from one account. Signed transactions are submitted one after another with consecutive
 * nonces, and are mined concurrently. (viem's nonce manager adds an offset to a count that was read at another moment: about one of a
 * hundred settlements was refused.)
 */
import { BaseError, RpcRequestError } from 'viem'

/** Retries of a submission whose nonce another process took. It was not accepted, so repeating it is safe. */
const RETRIES = 2
/** After this time without a submission the count of the node is used again, even if it is lower because it dropped a transaction. */
const REMEMBER_MS = 60_000

/** Message of a refusal by the node; `undefined` if no answer came and it is unknown whether the node accepted the transaction. */
export const refusalOf = (error: unknown): string | undefined => {
  const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null
  const text = answer instanceof RpcRequestError ? answer.details : undefined
  // The node already has the transaction: it was repeated after a lost answer.
  return text !== undefined && /already (known|imported)/i.test(text) ? undefined : text
}

const isTaken = (error: unknown): boolean =>
  /nonce too low|replacement transaction underpriced/i.test(refusalOf(error) ?? '')

/** Runs `send` with the next nonce, after all earlier sends have ended. */
export type Submit = <T>(send: (nonce: number) => Promise<T>) => Promise<T>

/** @param count the node's count of the account's transactions, including pending ones @param now milliseconds */
export const createSubmit = (count: () => Promise<number>, now: () => number): Submit => {
  let next = 0
  let at = 0
  let turn: Promise<unknown> = Promise.resolve()

  const once = async <T>(send: (nonce: number) => Promise<T>): Promise<T> => {
    const nonce = next > 0 && now() - at < REMEMBER_MS ? next : await count()
    next = 0
    const sent = await send(nonce)
    next = nonce + 1
    at = now()
    return sent
  }
  const submit = async <T>(send: (nonce: number) => Promise<T>): Promise<T> => {
    for (let tries = 0; ; tries++) {
      try {
        return await once(send)
      } catch (error) {
        if (tries === RETRIES || !isTaken(error)) throw error
      }
    }
  }
  return (send) => {
    const mine = turn.then(() => submit(send))
    turn = mine.catch(() => undefined)
    return mine
  }
}
