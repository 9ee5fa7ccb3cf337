/** A synthetic TON chain, through splits and merges of shards, and its nodes. */
import { createTonSource } from '../../../indexer/source/ton/index.ts'
import { createTonChain, halves, WHOLE } from '../chain/ton/chain.ts'
import { startTonNode, type TonFaults, type TonNode } from '../chain/ton/node.ts'
import { pay, sign, TON } from '../chain/ton/transactions.ts'
import { account } from '../chain/ton/wallets.ts'
import type { SourceFault, SourceWorld, WorldOptions } from './world.ts'

const [ann, bob, cat] = ['ann', 'bob', 'cat'].map(account) as [string, string, string]

const transactions = (count: number) => [
  sign(ann),
  pay(ann, bob, BigInt(count + 1) * TON),
  pay(bob, cat, TON, 'for the tickets'),
  pay(ann, cat, 5n),
]

/** @param version version of the API that the nodes answer */
export const createTonSourceWorld = async (
  version: 2 | 3 = 2,
  { divergent = false }: WorldOptions = {},
): Promise<SourceWorld> => {
  const chain = createTonChain()
  const nodes: TonNode[] = []
  const [low] = halves(WHOLE)
  const grow = (count: number) => {
    for (let block = 0; block < count; block += 1) chain.mine(transactions(chain.height()))
  }
  grow(10)
  chain.split(WHOLE)
  grow(8)
  chain.split(low)
  chain.pace(3)
  grow(3)
  chain.merge(low)
  grow(2)
  chain.pace(1)
  grow(7)
  chain.merge(WHOLE)
  if (divergent) chain.part()
  grow(10)
  const faultsOf = (fault: SourceFault): TonFaults => {
    switch (fault.kind) {
      case 'lacks':
        return { gaps: [fault.number] }
      case 'lags':
        return { lag: fault.blocks }
      case 'lies':
        return { forgedTransaction: 0.6, older: 0.4, lacksShard: 0.4, otherBlock: 1 }
      case 'refuses':
        return { refusals: fault.calls, retryAfter: 0 }
      case 'disputes':
        return { newestHash: Buffer.alloc(32, 0xab).toString('base64') }
      case 'slow':
        return { delayMs: fault.ms }
      default:
        return {}
    }
  }
  return {
    network: 'TON',
    grow,
    fork: undefined,
    heights: () => Array.from({ length: chain.height() }, (_, index) => index + 1),
    hashAt: chain.hashAt,
    finalHeight: chain.height,
    startNode: async () => {
      const node = await startTonNode(chain)
      nodes.push(node)
      const forget = () => {
        for (const noted of [node.asked, node.counts.times, node.counts.headers]) noted.length = 0
      }
      const url = version === 2 ? node.url : node.indexUrl
      return { url, misbehave: (fault) => node.misbehave(faultsOf(fault)), forget, stop: node.stop }
    },
    open: (context, options) =>
      createTonSource({
        context,
        network: 'TON',
        urls: nodes.map(({ url, indexUrl }) => (version === 2 ? url : indexUrl)),
        ...options,
        pollMs: 100,
        limitPauseMs: 20,
      }),
    highestRequested: () => Math.max(0, ...nodes.flatMap(({ asked }) => asked)),
    close: async () => {
      for (const node of nodes) await node.stop()
    },
  }
}
