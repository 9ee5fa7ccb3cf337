/** What the topics of a network have published so far, updated with every visible message. */
import type { Message } from '../../../platform/bus/bus.ts'
import type { Network } from '../../../schema/networks.ts'
import { decodeHeaders, topics } from '../../../schema/topics.ts'

export type Published = {
  history: Message[]
  head: Message[]
  /** Newest block of either topic. */
  tip: { number: number; hash: string } | undefined
  final: number
}

/** Follows the topics of networks. The messages stay readable here regardless of the retention of the topics. */
export const createPublished = (networks: readonly Network[]) => {
  const states = new Map<Network, Published>(
    networks.map((network) => [network, { history: [], head: [], tip: undefined, final: -1 }]),
  )
  const of = (network: Network): Published => states.get(network)!

  const see = (message: Message) => {
    for (const network of networks) {
      const state = of(network)
      if (message.topic === topics.history(network)) {
        state.history.push(message)
        const { to, hash } = decodeHeaders(message.headers)
        if (to > (state.tip?.number ?? -1)) state.tip = { number: to, hash }
        state.final = Math.max(state.final, to)
      }
      if (message.topic === topics.head(network)) {
        state.head.push(message)
        const { step, from, to, hash } = decodeHeaders(message.headers)
        if (step === 'new') state.tip = { number: to, hash }
        if (step === 'undo') state.tip = { number: from - 1, hash }
        if (step === 'final') state.final = Math.max(state.final, to)
      }
    }
  }
  return { of, see }
}
