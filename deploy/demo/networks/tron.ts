/** Scenario of TRON: a freeze by the issuer of USDT, abused approvals, threats in memos of transfers, and a shop. */

import { tronFromEvm } from '../../../schema/address/index.ts'
import { createTronChain } from '../../../test/kit/chain/tron/chain.ts'
import { startTronNode } from '../../../test/kit/chain/tron/node.ts'
import {
  approvalLog,
  blacklistLog,
  deploy,
  hex41,
  sendToken,
  sendTrx,
  type TronTx,
  transferLog,
  trigger,
} from '../../../test/kit/chain/tron/transactions.ts'
import { named } from '../../../test/kit/world/transactions.ts'
import { DAY, daysAgo, entry, fraud, honest, type PlayScenario } from './scenario.ts'

const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const DOLLAR = 1_000_000n
const TRX = 1_000_000n
const UNLIMITED = 2n ** 256n - 1n
const DAYS = 14
const THREAT = 'Send 900 USDT to this address within 3 days or your photos will be published to your family.'

const who = (name: string) => tronFromEvm(named(name))
const crowd = (name: string, count: number) => Array.from({ length: count }, (_, n) => who(`${name}${n}`))

/** Serves blocks in the format of TRON's full nodes on loopback. */
export const playTron: PlayScenario = async (network) => {
  const [issuer, frozen, drainer, spender, extorter, shop] = [
    who('issuer'),
    who('frozen'),
    who('drainer'),
    who('spender'),
    who('extorter'),
    who('shop'),
  ]
  const owners = crowd('owner', 4)
  const customers = crowd('customer', 4)
  const everyone = [...owners, ...customers, frozen, shop]
  const chain = createTronChain({ from: daysAgo(DAYS) })
  const day = (...txs: TronTx[]) => {
    chain.wait(DAY)
    chain.mine(txs)
  }
  // Coins of each one's own friend: accounts that one payer sets up in a day would be one owner's.
  day(...everyone.map((one, n) => sendTrx(who(`friend${n}`), one, 500n * TRX)), deploy(drainer, spender))
  day(...everyone.map((one) => sendToken(USDT, issuer, one, 5_000n * DOLLAR)))
  for (let round = 0; round < 6; round += 1) {
    day(
      ...customers.map((one, n) => sendToken(USDT, one, shop, BigInt(20 + n + round) * DOLLAR)),
      ...customers.map((one, n) => sendTrx(one, owners[n] ?? shop, 5n * TRX)),
      ...owners.flatMap((one, n) => [sendTrx(one, customers[n] ?? shop, 7n * TRX), sendTrx(one, shop, 3n * TRX)]),
    )
  }
  day(
    ...owners.map((one) =>
      trigger(one, USDT, { data: '095ea7b3', logs: [approvalLog(USDT, one, spender, UNLIMITED)] }),
    ),
  )
  day(
    ...owners.map((one) =>
      trigger(drainer, spender, { data: 'deadbeef', logs: [transferLog(USDT, one, drainer, 5_000n * DOLLAR)] }),
    ),
  )
  day(...customers.map((one) => sendTrx(extorter, one, 1n, { memo: THREAT })))
  day(...customers.map((one) => sendTrx(one, extorter, 1n, { memo: 'I called the police. Go away.' })))
  day(trigger(issuer, USDT, { data: '0ecb93c0', logs: [blacklistLog(USDT, frozen)] }))

  const node = await startTronNode(chain, {
    tokens: { [hex41(USDT)]: { name: 'Tether USD', symbol: 'USDT', decimals: 6 } },
  })
  const entries = [
    entry(network, 'extorter', extorter, fraud('blackmail_activities')),
    entry(network, 'drainer', drainer, fraud('stealing_attack')),
    entry(network, 'frozen', frozen, fraud('blacklist_doubt')),
    entry(network, 'victim', owners[0] ?? '', honest('stealing_attack', 'blackmail_activities')),
    entry(network, 'customer', customers[0] ?? '', honest('stealing_attack', 'blackmail_activities')),
    entry(network, 'shop', shop, honest('stealing_attack')),
  ]
  return { network, url: node.url, from: 0, to: chain.height(), entries, stop: node.stop }
}
