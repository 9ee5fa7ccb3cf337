/**
 * `node --import tsx test/kit/chain/replay-node.main.ts <fixtures> <blocks> [traced] [chain id]`: prints its URL and serves a repeated chain
 * until SIGTERM, with `traced` of blocks with their traces.
 */
import { loadRecordings, repeatedChain } from './recorded-chain.ts'
import { startReplayNode } from './replay-node.ts'

/** Blocks recorded without some of their transactions: no indexer accepts them. */
const CUT = [3_918_649, 13_367_088, 13_367_153]

const [folder, blocks, traced, chainId] = process.argv.slice(2)
if (folder === undefined) throw new Error('usage: replay-node.main.ts <fixtures> <blocks> [traced] [chain id]')
const whole = loadRecordings(folder).filter(({ number }) => !CUT.includes(number))
const chain = repeatedChain(whole, {
  length: Number(blocks),
  traced: traced === 'traced',
  ...(chainId && { chainId: Number(chainId) }),
})
const node = await startReplayNode({ chain })
process.stdout.write(`${node.url}\n`)
process.once('SIGTERM', () => void node.stop().then(() => process.exit(0)))
