/** Scenario of Solana: a wallet receives USDC, swaps some of it for SOL every day and pays friends. It is checked with an audit. */

import { TOKEN_CALL } from '../../../indexer/source/solana/decode/programs.ts'
import { createSolanaChain, startSolanaNode } from '../../../test/kit/chain/solana/solana-node.ts'
import { address, instruct, pay, token, transact, vote } from '../../../test/kit/chain/solana/solana-transactions.ts'
import { daysAgo, entry, type PlayScenario } from './scenario.ts'

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const JUPITER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4'
/** The discriminator of Jupiter's `shared_accounts_route`. */
const ROUTE = Buffer.from('c1209b3341d69c81', 'hex')
const SLOTS_OF_A_DAY = 216_000
const SOL = 1_000_000_000n
const DOLLAR = 1_000_000n
const BUDGET = 2_000n * DOLLAR
const SPENT = 100n * DOLLAR
const DAYS = 8

const [exchange, trader, pool] = [address('exchange'), address('trader'), address('pool')]
const dollarsOf = (name: string) => address(`${name} dollars`)
const holding = (name: string, before: bigint, after: bigint) => ({
  account: dollarsOf(name),
  owner: address(name),
  mint: USDC,
  decimals: 6,
  before,
  after,
})
const paid = (from: string, to: string, amount: bigint, signers?: readonly string[]) =>
  token(TOKEN_CALL.transferChecked, [dollarsOf(from), USDC, dollarsOf(to), address(from)], {
    amount,
    rest: [6],
    ...(signers && { signers }),
  })

const funded = () =>
  transact({
    signers: ['exchange'],
    instructions: [paid('exchange', 'trader', BUDGET, [exchange])],
    tokens: [holding('exchange', 500n * BUDGET, 499n * BUDGET), holding('trader', 0n, BUDGET)],
  })
const swapped = (day: number) => {
  const had = BUDGET - SPENT * BigInt(day)
  return transact({
    signers: ['trader'],
    instructions: [instruct(JUPITER, [dollarsOf('trader'), dollarsOf('pool'), pool, trader], ROUTE, [trader])],
    inner: { 0: [paid('trader', 'pool', SPENT)] },
    lamports: { [pool]: -5n * SOL, [trader]: 5n * SOL },
    tokens: [holding('trader', had, had - SPENT), holding('pool', 0n, SPENT)],
    version: 0,
  })
}

/** Serves blocks in the format of a Solana node on loopback. */
export const playSolana: PlayScenario = async (network) => {
  const chain = createSolanaChain({ time: daysAgo(DAYS + 4) })
  chain.add([vote('validator'), pay('exchange', 'trader', 20n * SOL)], 10)
  chain.add([funded()], SLOTS_OF_A_DAY)
  for (let day = 0; day < DAYS; day += 1) {
    chain.add([vote('validator'), swapped(day), pay('trader', `friend ${day}`, SOL / 2n)], SLOTS_OF_A_DAY)
  }
  chain.grow(3)
  chain.finalize(2)
  const node = await startSolanaNode(chain)
  const entries = [
    entry(
      network,
      'trader',
      trader,
      { status: 'Not Fraud', 'protocols.0.Protocol': 'jupiter', 'protocols.0.Count': DAYS },
      'fraud_audit',
    ),
    entry(network, 'friend', address('friend 0'), { status: 'New Address' }, 'fraud_audit'),
  ]
  const [first] = chain.blocks()
  return { network, url: node.url, from: first?.number ?? 0, to: chain.tip().number, entries, stop: node.stop }
}
