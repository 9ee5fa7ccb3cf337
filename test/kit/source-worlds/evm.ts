/** A synthetic chain of an EVM network, with its own kinds of blocks and finality, and its nodes. */
import { decodeBlock } from '../../../indexer/source/evm/decode/index.ts'
import { createEvmSource } from '../../../indexer/source/evm/index.ts'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { createEvmChain, type EvmTx, signer, tokenTransfer } from '../chain/evm-chain.ts'
import { type Faults, type ReplayNode, startReplayNode } from '../chain/replay-node.ts'
import type { SourceFault, SourceWorld, WorldOptions } from './world.ts'

/** Number of blocks above the final one on networks with reorgs. */
const UNFINAL = 20
const STATE_SYNC_EVERY = 16
/** Distance below the final block from which another chain differs. */
const PARTED_BELOW = 5
const OTHER_HASH = `0x${'ab'.repeat(32)}`
const TOKEN = `0x${'70'.repeat(20)}`
const VAULT = `0x${'71'.repeat(20)}`
const [ann, bob, cat] = ['ann', 'bob', 'cat'].map(signer) as [string, string, string]

const transactions = (count: number): EvmTx[] => [
  { from: 'ann', to: bob, value: BigInt(count + 1) },
  { from: 'bob', to: TOKEN, input: '0xa9059cbb', logs: [tokenTransfer(TOKEN, bob, cat, 1_000_000n + BigInt(count))] },
  { from: 'cat', to: VAULT, input: '0x2e1a7d4d', pays: [{ to: ann, value: 5n }] },
  { from: 'ann', to: VAULT, input: '0x2e1a7d4d', failed: true },
]

/** Properties of blocks that only some networks have. */
const BLOCK_PROPERTIES: Partial<Record<Network, { deposits?: boolean; stateSyncEvery?: number; blockMs?: number }>> = {
  BNB: { blockMs: 450 },
  BASE: { deposits: true },
  POLYGON: { stateSyncEvery: STATE_SYNC_EVERY },
}

export const createEvmSourceWorld = async (
  network: Network,
  { divergent = false }: WorldOptions = {},
): Promise<SourceWorld> => {
  const { chainId, dialect, finality, traces } = networkInfo(network)
  const instant = finality.kind === 'instant'
  const chain = createEvmChain({
    chainId: chainId ?? 0,
    finalDepth: instant ? 0 : UNFINAL,
    finalTag: !instant,
    traced: traces,
    ...BLOCK_PROPERTIES[network],
  })
  const nodes: ReplayNode[] = []
  const grow = (count: number) => {
    for (let block = 0; block < count; block += 1) chain.mine(transactions(chain.height()))
  }
  grow(40)
  const fork = (depth: number) =>
    chain.fork(depth, ...Array.from({ length: depth + 1 }, (_, index) => transactions(1_000 + index)))
  if (divergent) fork(PARTED_BELOW + chain.height() - chain.finalHeight())
  const faultsOf = (fault: SourceFault): Faults => {
    switch (fault.kind) {
      case 'lacks':
        return { gaps: [fault.number] }
      case 'lags':
        return { behind: fault.blocks }
      case 'lies':
        // If no hash commits to receipts, only receipts that name another block can be detected.
        if (!dialect?.verifies.receipts) return { otherBranch: 1 }
        return { emptyLogs: 0.3, forgedAmounts: 0.3, flippedStatus: 0.3, cutReceipts: 0.3, otherBranch: 1 }
      case 'refuses':
        return { refusals: fault.calls, retryAfter: 0 }
      case 'disputes':
        return instant ? { newestHash: OTHER_HASH } : { finalized: { number: chain.finalHeight(), hash: OTHER_HASH } }
      case 'slow':
        return { delayMs: fault.ms }
      default:
        return {}
    }
  }
  return {
    network,
    grow,
    fork: instant ? undefined : fork,
    heights: () => Array.from({ length: chain.height() + 1 }, (_, number) => number),
    hashAt: chain.hashAt,
    finalHeight: chain.finalHeight,
    startNode: async () => {
      const node = await startReplayNode({ chain }, { seed: nodes.length + 1 })
      nodes.push(node)
      return { url: node.url, misbehave: (fault) => node.misbehave(faultsOf(fault)), forget: () => {}, stop: node.stop }
    },
    open: (context, options) =>
      createEvmSource({
        context,
        network,
        urls: nodes.map(({ url }) => url),
        ...options,
        decode: decodeBlock,
        tokenMetadata: false,
        pollMs: 100,
      }),
    highestRequested: () => Math.max(0, ...nodes.map((node) => node.highestRequested())),
    close: async () => {
      for (const node of nodes) await node.stop()
    },
  }
}
