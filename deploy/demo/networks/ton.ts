/** Scenario of TON, with a shard that splits and merges: threats and phishing links in comments, a jetton that imitates USDT, and a shop. */
import { Address } from '@ton/core'
import { createTonChain, WHOLE } from '../../../test/kit/chain/ton/chain.ts'
import { startTonNode } from '../../../test/kit/chain/ton/node.ts'
import { deploy, internalTransfer, pay, sign, TON, type TonTx } from '../../../test/kit/chain/ton/transactions.ts'
import { account, createWorld } from '../../../test/kit/chain/ton/wallets.ts'
import { DAY, daysAgo, entry, fraud, honest, type PlayScenario } from './scenario.ts'

const USDT = 'EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs'
const DAYS = 15
const THREAT = 'Send 900 TON to this address within 3 days or your photos will be published to your family.'
const LURE = 'Claim 977 coins for free at x-not-coin.com'

/** The user-friendly form of an address, not bounceable. */
const shown = (raw: string) => Address.parseRaw(raw).toString({ bounceable: false })

/** Serves blocks in the format of toncenter on loopback. */
export const playTon: PlayScenario = async (network) => {
  const [exchange, shop, extorter, forger, phisher] = [
    account('exchange'),
    account('shop'),
    account('extorter'),
    account('forger'),
    account('phisher'),
  ]
  const people = Array.from({ length: 60 }, (_, n) => account(`person ${n}`))
  const victims = people.slice(0, 3)
  const fakeMaster = account('master of fake dollars')
  const world = createWorld()
  const dollars = world.jetton({ master: Address.parse(USDT).toRawString(), page: 'https://tether.to/usdt-ton.json' })
  const fakes = world.jetton({ master: fakeMaster, name: 'Tether USD', symbol: 'USD₮', decimals: 6 })
  /** A jetton transfer to the jetton wallet of `to`. */
  const jettons = (of: (owner: string) => string, from: string, to: string, amount: bigint, by = of(from)): TonTx => ({
    from: by,
    account: of(to),
    value: TON / 20n,
    body: internalTransfer({ from, amount }),
  })

  const chain = createTonChain({ from: daysAgo(DAYS) })
  const day = (...txs: TonTx[]) => {
    chain.wait(DAY)
    chain.mine(txs)
  }
  day(...people.map((one) => pay(exchange, one, 20n * TON)), pay(exchange, shop, 50n * TON))
  chain.split(WHOLE)
  day(...people.map((one) => jettons(dollars, exchange, one, 500_000_000n)))
  for (let round = 0; round < 6; round += 1) {
    day(...people.slice(0, 20).flatMap((one) => [sign(one), pay(one, shop, TON, 'two loaves and a coffee, please')]))
  }
  day(deploy(forger, fakeMaster))
  day(...people.map((one) => jettons(fakes, '', one, 900_000_000n, fakeMaster)))
  chain.merge(WHOLE)
  day(...victims.map((one) => pay(extorter, one, 1n, THREAT)))
  day(...victims.map((one) => pay(one, extorter, 1n, 'You stole my photos, I called the police. Go away.')))
  day(...people.map((one) => pay(phisher, one, 1n, LURE)))

  const node = await startTonNode(chain, { contracts: world.contracts })
  const entries = [
    entry(network, 'extorter', shown(extorter), fraud('blackmail_activities')),
    entry(network, 'forger', shown(forger), fraud('fake_token')),
    entry(network, 'phisher', shown(phisher), fraud('phishing_activities')),
    entry(network, 'victim', shown(victims[0] ?? ''), honest('blackmail_activities')),
    entry(network, 'customer', shown(people[10] ?? ''), honest('blackmail_activities')),
    entry(network, 'shop', shown(shop), honest('phishing_activities')),
  ]
  return { network, url: node.url, from: 0, to: chain.height(), entries, stop: node.stop }
}
