/** A TON node in its own process over a synthetic chain: `node.main.ts BLOCKS TRANSACTIONS-PER-BLOCK`. Prints its URL. */
import { createTonChain } from './chain.ts'
import { startTonNode } from './node.ts'
import { internalTransfer, pay, sign, TON, type TonTx } from './transactions.ts'
import { account, createWorld } from './wallets.ts'

const [blocks = 0, perBlock = 0] = process.argv.slice(2).map(Number)
/** So many wallets that one rarely occurs twice in a block, as on mainnet. */
const WALLETS = 5_000

const wallets = Array.from({ length: WALLETS }, (_, n) => account(`wallet ${n}`))
const wallet = (n: number): string => wallets[n % WALLETS]!
const world = createWorld()
const coins = world.jetton({ master: account('master'), name: 'Coins', symbol: 'COIN' })

/** Three of ten are signed by their owners, five transfer coins, two jettons. */
const transaction = (n: number): TonTx => {
  const [from, to] = [wallet(n * 7), wallet(n * 13 + 5)]
  if (n % 10 < 3) return sign(from)
  if (n % 10 < 8) return pay(from, to, BigInt(n + 1), 'for the two loaves of bread')
  return { from: coins(from), account: coins(to), value: TON / 10n, body: internalTransfer({ from, amount: 5n }) }
}

const chain = createTonChain()
for (let block = 0; block < blocks; block += 1) {
  chain.mine(Array.from({ length: perBlock }, (_, index) => transaction(block * perBlock + index)))
}
const node = await startTonNode(chain, { contracts: world.contracts })
process.stdout.write(`${node.url}\n`)
process.once('SIGTERM', () => void node.stop().then(() => process.exit(0)))
