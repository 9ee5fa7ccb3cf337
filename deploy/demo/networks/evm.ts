/**
 * Scenario of EVM networks, played on anvil with the chain ID of the network. The registries decide which authorities it has:
 * the sanctions oracle and USDC are installed at their real addresses.
 */
import { getContractAddress, type Hex } from 'viem'
import { networkInfo } from '../../../schema/networks.ts'
import { ISSUERS } from '../../../schema/registry/authorities.ts'
import { registryOf } from '../../../schema/registry/index.ts'
import { startAnvil } from '../../../test/kit/chain/anvil.ts'
import { APPROVE, TRANSFER } from '../../../test/kit/scenario/residents.ts'
import { BEGINNING, createScenario, crowd, DOLLAR, ETHER, UNLIMITED, who } from '../../../test/kit/scenario/scenario.ts'
import { creationCode } from '../contracts/contracts.ts'
import { DAY, daysAgo, entry, fraud, honest, type PlayScenario } from './scenario.ts'

const THREAT =
  'I have your photos and I will leak your photos to your family. Send 2 coins to this address within 48 hours.'
const ANSWER = 'You stole my photos, I called the police. Go away.'
const VICTIMS = crowd('victim', 4)

/** Mining on request only, with transactions from any sender. */
const ANVIL_ARGUMENTS = [
  '--no-mining',
  '--auto-impersonate',
  '--gas-limit',
  '3000000000',
  '--timestamp',
  `${BEGINNING - 60}`,
]

/** Plays threats, abused approvals and ordinary wallets; also a listing and a freeze, where the network has an oracle and USDC. */
export const playEvm: PlayScenario = async (network, signal) => {
  const { chainId, nativeCoin } = networkInfo(network)
  const registry = registryOf(network)
  const [oracle] = registry.sanctionsOracles.keys()
  const dollar = [...ISSUERS[network].values()].find(({ family }) => family === 'circle')?.address
  // About 1,000 US dollars in the native coin, and a small payment.
  const rich = BigInt(nativeCoin.per1000Usd * 10) * (ETHER / 10n)
  const bread = rich / 100n

  const { at, execute } = createScenario()
  at(1, ({ pay }) => {
    for (const name of [...VICTIMS, 'customer']) pay(`friend of ${name}`, name, 3n * rich)
  })
  for (const day of [2, 2.5, 3, 3.5, 4]) {
    at(day, ({ pay }) => {
      for (const name of [...VICTIMS, 'customer']) {
        pay(name, `shop ${day}`, bread)
        pay(name, `friend of ${name}`, bread)
      }
    })
  }
  const coupons = getContractAddress({ from: who('bakery'), nonce: 0n })
  at(5, ({ deploy, call }) => {
    deploy('bakery', creationCode('Token', 'Bread coupons', 'BREAD', 1_000_000n * ETHER))
    for (const name of [...VICTIMS, 'customer']) call('bakery', coupons, TRANSFER, [who(name), 2_000n * ETHER])
  })
  const drainer = getContractAddress({ from: who('drainer'), nonce: 0n })
  at(6, ({ deploy, call }) => {
    deploy('drainer', creationCode('Drainer'))
    for (const name of VICTIMS) call(name, coupons, APPROVE, [drainer, UNLIMITED])
  })
  at(7, ({ call }) => {
    for (const name of VICTIMS) {
      call('drainer', drainer, 'drain(address,address,address)', [coupons, who(name), who('affiliate')])
    }
  })
  at(8, ({ write }) => {
    for (const name of VICTIMS) write('extorter', name, THREAT)
  })
  at(8.5, ({ write }) => {
    for (const name of VICTIMS) write(name, 'extorter', ANSWER)
  })
  if (oracle) {
    at(9, ({ pay, call }) => {
      pay('listed', 'customer', bread)
      call('keeper', oracle, 'addToSanctionsList(address[])', [[who('listed')]])
    })
  }
  if (dollar) {
    at(9, ({ call }) => {
      call('issuer', dollar, 'mint(address,uint256)', [who('frozen'), 90_000n * DOLLAR])
      call('issuer', dollar, 'blacklist(address)', [who('frozen')])
    })
  }

  const anvil = await startAnvil({ chainId: chainId ?? 1, args: ANVIL_ARGUMENTS })
  const stop = () => anvil.stop()
  signal?.addEventListener('abort', stop, { once: true })
  try {
    const place = async (address: string, data: Hex) =>
      anvil.rpc('anvil_setCode', address, await anvil.rpc('eth_call', { data, gas: '0xb71b00' }, 'latest'))
    if (oracle) await place(oracle, creationCode('SanctionsList', who('keeper')))
    if (dollar) await place(dollar, creationCode('DollarIssuer', who('issuer')))
    await execute(anvil.url)
    await anvil.rpc('evm_mine', { timestamp: Math.max(daysAgo(0), BEGINNING + 10 * DAY) })
    const to = await anvil.blockNumber()
    const entries = [
      entry(network, 'extorter', who('extorter'), fraud('blackmail_activities')),
      entry(network, 'drainer', who('drainer'), fraud('stealing_attack')),
      ...(oracle ? [entry(network, 'listed', who('listed'), fraud('sanctioned'))] : []),
      ...(dollar ? [entry(network, 'frozen', who('frozen'), fraud('blacklist_doubt'))] : []),
      entry(network, 'victim', who('victim0'), honest('blackmail_activities', 'stealing_attack')),
      entry(network, 'customer', who('customer'), honest('stealing_attack')),
    ]
    return { network, url: anvil.url, from: 0, to, entries, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
