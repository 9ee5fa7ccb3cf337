/**
 * Nonces of one account that many settlements send from. Signed transactions are handed to the node one after another
 * (they are mined side by side), each with the nonce after the last one. (viem's manager adds an offset to a count read at
 * another moment, so that one of some hundred settlements was refused.)
 */
import { BaseError, RpcRequestError } from 'viem'

/** Of a submission whose nonce another process of the operator took. It never took place, so that it may be sent again. */
const RETRIES = 2
/** After so long without a submission the node's count is the truth, even where it is lower: it forgot a transaction. */
const REMEMBER_MS = 60_000

/** Text of the node's own refusal; `undefined` when no answer came, and nobody knows whether the node took it. */
export const refusalOf = (error: unknown): string | undefined => {
  const answer = error instanceof BaseError ? error.walk((cause) => cause instanceof RpcRequestError) : null
  const text = answer instanceof RpcRequestError ? answer.details : undefined
  // A copy of it is there already: sent again after an answer that was lost.
  return text !== undefined && /already (known|imported)/i.test(text) ? undefined : text
}

const isTaken = (error: unknown): boolean =>
  /nonce too low|replacement transaction underpriced/i.test(refusalOf(error) ?? '')

/** Runs `send` with the next nonce, after all sends before it have ended. */
export type Submit = <T>(send: (nonce: number) => Promise<T>) => Promise<T>

/** @param count the node's count of the account's transactions, pending ones included. `now` in milliseconds. */
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
