/**
 * A Solana node in its own process, for benchmarks: blocks of votes and recorded transactions, answers rendered once.
 * Arguments: folder of recorded answers, blocks, votes and other transactions per block. Prints its URL and the bytes of
 * a block.
 */
import { recordedTransactions } from './recorded-solana.ts'
import { createSolanaChain, startSolanaNode } from './solana-node.ts'
import { vote, wireText } from './solana-transactions.ts'

const [folder = '', blocks = '0', votes = '0', others = '0'] = process.argv.slice(2)
const recorded = recordedTransactions(folder).map(({ transaction }) => transaction)
if (recorded.length === 0) throw new Error(`no recorded transactions in ${folder}`)
const ballots = Array.from({ length: 8 }, (_, index) => vote(`validator ${index}`))
const every = (list: readonly unknown[], count: number) =>
  Array.from({ length: count }, (_, index) => list[index % list.length])
const transactions = [...every(ballots, Number(votes)), ...every(recorded, Number(others))]
const chain = createSolanaChain({ fill: () => transactions })
for (let block = 0; block < Number(blocks); block += 1) chain.add(undefined, block % 20 === 19 ? 1 : 0)
chain.finalize()
const text = wireText(transactions)
const node = await startSolanaNode(chain, { rendered: text })
process.stdout.write(`${node.url} ${text.length} ${chain.blocks()[0]?.number} ${chain.blocks()[0]?.slot}\n`)
process.on('SIGTERM', () => process.exit(0))
