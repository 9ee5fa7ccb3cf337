/** A synthetic Solana chain with skipped slots, and its nodes. */
import { decodeBlock } from '../../../indexer/source/solana/decode/index.ts'
import { createSolanaSource } from '../../../indexer/source/solana/index.ts'
import { createSolanaChain, Refusal, type SolanaNode, startSolanaNode } from '../chain/solana/solana-node.ts'
import { pay, vote } from '../chain/solana/solana-transactions.ts'
import type { SourceFault, SourceWorld, WorldOptions } from './world.ts'

const UNFINAL = 20
const FILL = [vote('validator'), pay('alice', 'bob', 1_000_000n), vote('other validator')]

/** Distance below the final block from which another chain differs. */
const PARTED_BELOW = 5

export const createSolanaSourceWorld = async ({ divergent = false }: WorldOptions = {}): Promise<SourceWorld> => {
  const chain = createSolanaChain({ fill: () => FILL })
  const nodes: SolanaNode[] = []
  const grow = (count: number) => {
    chain.grow(count)
    chain.finalize(UNFINAL)
  }
  if (divergent) {
    chain.grow(40)
    chain.fork(UNFINAL + PARTED_BELOW)
    chain.finalize(UNFINAL)
  } else grow(40)
  const at = (number: number) => chain.blocks().find((one) => one.number === number)!

  const misbehave = (node: SolanaNode, fault: SourceFault) => {
    node.slow(fault.kind === 'slow' ? fault.ms : 0)
    node.lag(fault.kind === 'lags' ? fault.blocks : 0)
    node.refuse(fault.kind === 'refuses' ? fault.calls : 0)
    const missing = fault.kind === 'lacks' ? at(fault.number).slot : undefined
    const final = fault.kind === 'disputes' ? chain.finalized().slot : undefined
    node.tamper((method, [slot], result) => {
      if (method !== 'getBlock') return result
      if (slot === missing) throw new Refusal(-32004, `Block not available for slot ${slot}`)
      const block = result as { blockHeight: number }
      if (fault.kind === 'lies') return { ...block, blockHeight: block.blockHeight + 1 }
      return slot === final ? { ...block, blockhash: 'another' } : block
    })
  }

  return {
    network: 'SOLANA',
    grow,
    fork: chain.fork,
    heights: () => chain.blocks().map(({ number }) => number),
    hashAt: (number) => at(number).hash,
    finalHeight: () => chain.finalized().number,
    startNode: async () => {
      const node = await startSolanaNode(chain)
      nodes.push(node)
      return { url: node.url, misbehave: (fault) => misbehave(node, fault), forget: () => {}, stop: node.stop }
    },
    open: (context, options) =>
      createSolanaSource({
        context,
        network: 'SOLANA',
        urls: nodes.map(({ url }) => url),
        ...options,
        decode: decodeBlock,
        pollMs: 100,
      }),
    highestRequested: () => {
      const slot = Math.max(...nodes.map((node) => node.highestRequested()))
      return chain.blocks().find((one) => one.slot === slot)?.number ?? 0
    },
    close: async () => {
      for (const node of nodes) await node.stop()
    },
  }
}
