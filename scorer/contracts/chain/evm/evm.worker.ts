/** Worker thread of the EVM: receives jobs, asks for state, returns results. */
import { parentPort } from 'node:worker_threads'
import { messageOf } from '../../../../platform/errors.ts'
import type { AccountState, FromThread, StateAnswer, StateQuestion, ToThread } from './protocol.ts'
import { runJob } from './run.ts'
import type { NodeState } from './state.ts'

/** Pinned blocks whose state is cached. */
const STATES = 4

const send = (message: FromThread) => parentPort?.postMessage(message)
const asked = new Map<number, (answer: StateAnswer) => void>()
let questions = 0
const states = new Map<string, Map<string, Promise<StateAnswer>>>()

const ask = (job: number, state: StateQuestion): Promise<StateAnswer> =>
  new Promise((resolve) => {
    const question = questions++
    asked.set(question, resolve)
    send({ kind: 'ask', job, question, state })
  })

/** The node's state at one block, read once for all jobs. Failed reads are not cached. */
const stateOf = (pinned: string, job: number): NodeState => {
  const known = states.get(pinned) ?? new Map<string, Promise<StateAnswer>>()
  states.delete(pinned)
  states.set(pinned, known)
  if (states.size > STATES) states.delete(states.keys().next().value ?? '')
  const get = async (state: StateQuestion): Promise<Exclude<StateAnswer, { missing: string }>> => {
    const key = state.address + (state.slot ?? '')
    const answer = known.get(key) ?? ask(job, state)
    known.set(key, answer)
    const found = await answer
    if (!('missing' in found)) return found
    known.delete(key)
    throw new Error(found.missing)
  }
  return {
    account: async (address): Promise<AccountState> => {
      const found = await get({ address })
      if ('code' in found) return found
      throw new Error('an account was answered with a slot')
    },
    slot: async (address, slot) => {
      const found = await get({ address, slot })
      if ('value' in found) return found.value
      throw new Error('a slot was answered with an account')
    },
  }
}

parentPort?.on('message', (message: ToThread) => {
  if (message.kind === 'state') {
    asked.get(message.question)?.(message.answer)
    asked.delete(message.question)
    return
  }
  const { job } = message
  runJob(job, stateOf(job.pinned.id, job.id)).then(
    (results) => send({ kind: 'done', job: job.id, results }),
    (error: unknown) => send({ kind: 'done', job: job.id, failure: messageOf(error) }),
  )
})
