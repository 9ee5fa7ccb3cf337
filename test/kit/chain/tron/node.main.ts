/** A TRON node in its own process over a synthetic chain: `node.main.ts BLOCKS TRANSACTIONS-PER-BLOCK`. Prints its URL. */
import { tronFromEvm } from '../../../../schema/address/index.ts'
import { createTronChain } from './chain.ts'
import { startTronNode } from './node.ts'
import { sendToken, sendTrx, type TronTx, trigger } from './transactions.ts'

const [blocks = 0, perBlock = 0] = process.argv.slice(2).map(Number)
const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
/** So many wallets that one rarely occurs twice in a block, as on mainnet. */
const WALLETS = 20_000
const VAULT = tronFromEvm(`0x${'5a'.repeat(20)}`)

const wallets = Array.from({ length: WALLETS }, (_, n) => tronFromEvm(`0x${(n + 1).toString(16).padStart(40, '7')}`))
const wallet = (n: number): string => wallets[n % WALLETS]!

/** Six of ten transfer the dollar coin, three TRX, one calls a contract that pays out. */
const transaction = (n: number): TronTx => {
  const [from, to] = [wallet(n * 7), wallet(n * 13 + 5)]
  if (n % 10 < 6) return sendToken(USDT, from, to, BigInt(n + 1))
  if (n % 10 < 9) return sendTrx(from, to, BigInt(n + 1))
  return trigger(from, VAULT, { data: 'deadbeef', internal: [{ from: VAULT, to, value: BigInt(n + 1) }] })
}

const chain = createTronChain()
for (let block = 0; block < blocks; block += 1) {
  chain.mine(Array.from({ length: perBlock }, (_, index) => transaction(block * perBlock + index)))
}
const node = await startTronNode(chain)
process.stdout.write(`${node.url}\n`)
process.once('SIGTERM', () => void node.stop().then(() => process.exit(0)))
