/** A synthetic TRON chain and its nodes. */
import { createTronSource } from '../../../indexer/source/tron/index.ts'
import { tronFromEvm } from '../../../schema/address/index.ts'
import { createTronChain } from '../chain/tron/chain.ts'
import { startTronNode, type TronFaults, type TronNode } from '../chain/tron/node.ts'
import { sendToken, sendTrx, trigger } from '../chain/tron/transactions.ts'
import { named } from '../world/transactions.ts'
import type { SourceFault, SourceWorld, WorldOptions } from './world.ts'

const who = (name: string) => tronFromEvm(named(name))
const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
/** Distance of the newest block from the newest solid one. */
const LAG = 18

const transactions = (count: number) => [
  sendTrx(who('ann'), who('bob'), BigInt(count + 1)),
  sendToken(USDT, who('ann'), who('bob'), 1_000_000n),
  trigger(who('bob'), who('vault'), { internal: [{ from: who('vault'), to: who('ann'), value: 5n }] }),
]

/** Distance below the final block from which another chain differs. */
const PARTED_BELOW = 5

export const createTronSourceWorld = async ({ divergent = false }: WorldOptions = {}): Promise<SourceWorld> => {
  const chain = createTronChain()
  const nodes: TronNode[] = []
  const grow = (count: number) => {
    for (let block = 0; block < count; block += 1) chain.mine(transactions(chain.height()))
  }
  grow(40)
  const fork = (depth: number) =>
    chain.fork(depth, ...Array.from({ length: depth + 1 }, (_, index) => transactions(1_000 + index)))
  if (divergent) fork(PARTED_BELOW + LAG)
  const faultsOf = (fault: SourceFault): TronFaults => {
    switch (fault.kind) {
      case 'lacks':
        return { gaps: [fault.number] }
      case 'lags':
        return { lag: fault.blocks }
      case 'lies':
        return { forgedTransaction: 0.4, cutTransactions: 0.7, forgedHeader: 1, cutInfos: 1 }
      case 'refuses':
        return { refusals: fault.calls, retryAfter: 0 }
      case 'disputes':
        return { solidId: `${chain.hashAt(chain.height() - LAG).slice(0, 16)}${'ab'.repeat(24)}` }
      case 'slow':
        return { delayMs: fault.ms }
      default:
        return {}
    }
  }
  return {
    network: 'TRON',
    grow,
    fork,
    heights: () => Array.from({ length: chain.height() + 1 }, (_, number) => number),
    hashAt: chain.hashAt,
    finalHeight: () => chain.height() - LAG,
    startNode: async () => {
      const node = await startTronNode(chain)
      nodes.push(node)
      const forget = () => {
        for (const noted of [node.asked, node.counts.times, node.counts.headers]) noted.length = 0
      }
      return { url: node.url, misbehave: (fault) => node.misbehave(faultsOf(fault)), forget, stop: node.stop }
    },
    open: (context, options) =>
      createTronSource({
        context,
        network: 'TRON',
        urls: nodes.map(({ url }) => url),
        ...options,
        tokenMetadata: false,
        pollMs: 100,
        finalEveryMs: 0,
        limitPauseMs: 20,
      }),
    highestRequested: () => Math.max(0, ...nodes.flatMap(({ asked }) => asked)),
    close: async () => {
      for (const node of nodes) await node.stop()
    },
  }
}
