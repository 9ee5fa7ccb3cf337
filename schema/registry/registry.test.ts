import { PublicKey } from '@solana/web3.js'
import { getAddress, keccak256, toBytes, toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { isCanonicalEvm, parseAddress } from '../address/index.ts'
import { NETWORK_CODES, NETWORKS, networkInfo } from '../networks.ts'
import { AUTHORITY_GETTERS, authorityLogsOf, authorityQuestionsOf, authorityTopics } from './authorities.ts'
import { byNetwork } from './entries.ts'
import { type ChainRegistry, EVENTS, PERMIT2, registryOf, SELECTORS, wrappedNative } from './index.ts'
import { infrastructureOf } from './infrastructure.ts'

test('every topic is the keccak-256 of its signature, and no two events share one', () => {
  for (const { signature, topic } of Object.values(EVENTS)) expect(topic).toBe(keccak256(toBytes(signature)))
  const topics = Object.values(EVENTS).map(({ topic }) => topic)
  expect(new Set(topics).size).toBe(topics.length)
})

test('events that are distinguished by topic0 have different topics', () => {
  const collide = (...signatures: string[]) => new Set(signatures.map((text) => keccak256(toBytes(text)))).size === 1
  expect(collide(EVENTS.v2Burn.signature, EVENTS.solidlyBurn.signature)).toBe(false)
  expect(collide(EVENTS.v3Swap.signature, EVENTS.pancakeV3Swap.signature)).toBe(false)
  expect(collide(EVENTS.mixerDeposit.signature, EVENTS.wrapDeposit.signature)).toBe(false)
  expect(collide(EVENTS.approval.signature, EVENTS.permit2Approval.signature)).toBe(false)
})

test('every selector is that of its signature', () => {
  for (const group of Object.values(SELECTORS))
    for (const [selector, signature] of Object.entries(group))
      expect(toFunctionSelector(`function ${signature}`)).toBe(selector)
})

test('every getter of an authority has the selector of its signature', () => {
  for (const { question, selector } of Object.values(AUTHORITY_GETTERS).flatMap((getter) => getter ?? []))
    expect(toFunctionSelector(`function ${question}`)).toBe(selector)
})

test('an issuer without a public getter is read only from its logs', () => {
  const asked = new Set(authorityQuestionsOf('BNB').map(({ name, question }) => `${name} ${question}`))
  expect([...asked].sort()).toEqual([
    'Chainalysis sanctions oracle isSanctioned(address)',
    'FDUSD frozen(address)',
    'USD1 frozen(address)',
  ])
  const read = authorityLogsOf('BNB').filter(({ list }) => list === 'freeze')
  expect(read.map(({ name, since }) => [name, since])).toEqual([
    ['FDUSD', 0],
    ['USD1', 46_151_905],
    ['TUSD', 0],
  ])
  expect(authorityTopics('freeze')).toContain('0x51d18786e9cb144f87d46e7b796309ea84c7c687d91e09c97f051eacf59bc528')
})

test('every issuer of a known asset has the symbol of that asset', () => {
  for (const network of NETWORK_CODES)
    for (const [address, { symbol }] of registryOf(network).issuers)
      expect([symbol, undefined]).toContain(registryOf(network).assets.get(address)?.symbol)
})

const tables = (registry: ChainRegistry) => Object.values(registry) as ReadonlyMap<string, { address: string }>[]

test('every address is canonical text of its network', () => {
  for (const network of NETWORK_CODES)
    for (const table of tables(registryOf(network)))
      for (const [key, entry] of table) {
        expect(entry.address).toBe(key)
        expect(parseAddress(network, key)).toEqual({ ok: true, canonical: key })
      }
})

test('refuses a wrong checksum and a duplicate entry', () => {
  const address = getAddress('0xdac17f958d2ee523a2206206994597c13d831ec7')
  const onEthereum = (...addresses: string[]) =>
    byNetwork((facts) => (facts === NETWORKS.ETH.facts ? addresses.map((address) => ({ address })) : []))
  expect(onEthereum(address).ETH.size).toBe(1)
  expect(() => onEthereum(address.replace('dAC', 'Dac'))).toThrow(RangeError)
  expect(() => onEthereum(address, address.toLowerCase())).toThrow(/twice/)
})

test('every network with a wrapped coin declares the decimals of the coin', () => {
  for (const network of NETWORK_CODES.filter((code) => code !== 'TON'))
    expect(wrappedNative(network)?.decimals).toBe(networkInfo(network).nativeCoin.decimals)
  expect(wrappedNative('TON')).toBeUndefined()
})

test('mixer pools differ by network and declare their denomination in base units', () => {
  expect(registryOf('BASE').mixerPools.size).toBe(0)
  const shared = '0x1e34a77868e19a6647b1f2f47b51ed72dede95dd'
  for (const network of ['BNB', 'POLYGON'] as const)
    expect(registryOf(network).mixerPools.get(shared)?.denomination).toBe(`${100n * 10n ** 18n}`)
  expect([...registryOf('ETH').mixerPools.values()].find(({ symbol }) => symbol === 'WBTC')?.denomination).toMatch(
    /^10+$/,
  )
})

test('BASE has a sanctions oracle of its own', () => {
  const oracle = (network: 'ETH' | 'BASE' | 'BNB') => [...registryOf(network).sanctionsOracles.keys()]
  expect(oracle('BASE')).not.toEqual(oracle('ETH'))
  expect(oracle('BNB')).toEqual(oracle('ETH'))
  expect(registryOf('HAQQ').sanctionsOracles.size).toBe(0)
})

test('infrastructure never doubles as an issuer or a mixer', () => {
  expect(isCanonicalEvm(PERMIT2)).toBe(true)
  for (const network of NETWORK_CODES) {
    const { services, issuers, mixerPools } = registryOf(network)
    for (const address of services.keys()) expect(issuers.has(address) || mixerPools.has(address)).toBe(false)
  }
})

test('lockers of major services are known on every analysed network that has them', () => {
  const services = (network: 'ETH' | 'BNB' | 'BASE' | 'POLYGON') => [
    ...new Set([...registryOf(network).lockers.values()].map(({ name, kind }) => `${name} ${kind}`)),
  ]
  const old = ['PinkLock v2', 'Team Finance v2', 'UNCX v2', 'UNCX v3']
  const newer = ['GoPlus positions v3', 'GoPlus v2']
  const v4 = 'UNCX V4 v4'
  const forever = 'Clanker v4'
  expect(services('ETH').sort()).toEqual([forever, 'GoPlus V4 v4', ...newer, ...old.slice(0, 2), v4, ...old.slice(2)])
  const both = [...newer, ...old.slice(0, 2), v4, ...old.slice(2)]
  expect(services('BNB').sort()).toEqual([forever, ...both])
  expect(services('BASE').sort()).toEqual(['Clanker v3', forever, ...both])
  expect(services('POLYGON').sort()).toEqual([...old.slice(0, 2), v4, ...old.slice(2)])
  // What keeps positions for ever has no end to ask for, and a factory of locks keeps none.
  const lockers = NETWORK_CODES.flatMap((network) => [...registryOf(network).lockers.values()])
  expect(lockers.filter(({ makes }) => makes)).toHaveLength(2)
  expect(lockers.filter(({ makes, forever }) => makes && forever)).toEqual([])
})

test('mixer pools missing in the configuration of their authors are known with their denominations', () => {
  const sizes = (symbol: string) =>
    [...registryOf('ETH').mixerPools.values()]
      .filter((pool) => pool.symbol === symbol)
      .map(({ denomination }) => BigInt(denomination) / 10n ** 6n)
      .sort((a, b) => Number(a - b))
  expect(sizes('USDT')).toEqual([100n, 1_000n, 10_000n, 100_000n])
  expect(sizes('USDC')).toEqual([100n, 1_000n, 10_000n])
})

test('launchpads, and vaults that hold the tokens of all pools, are public infrastructure', () => {
  const known = (network: 'ETH' | 'BNB' | 'BASE' | 'POLYGON') =>
    [...infrastructureOf(network).values()].filter(({ category }) => category === 'dex').map(({ name }) => name)
  expect(known('BNB')).toEqual(expect.arrayContaining(['four.meme', 'thena', 'pancakeswap']))
  expect(known('BASE')).toEqual(expect.arrayContaining(['virtuals protocol', 'balancer', 'aerodrome']))
  expect(known('POLYGON')).toEqual(expect.arrayContaining(['balancer', 'quickswap']))
})

test("owners of vaults are the derived addresses of their exchanges' programs", () => {
  const derived = (seed: string, program: string) =>
    PublicKey.findProgramAddressSync([Buffer.from(seed)], new PublicKey(program))[0].toBase58()
  const owners = [...registryOf('SOLANA').services.values()].filter(({ kind }) => kind === 'vault-owner')
  expect(owners.map(({ address, name }) => [name, address])).toEqual([
    ['Raydium', derived('amm authority', '675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8')],
    ['Raydium', derived('vault_and_lp_mint_auth_seed', 'CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C')],
    ['Raydium', derived('vault_auth_seed', 'LanMV9sAd7wArD4vJFi2qDdfnVhFxYSUg6eADduJ3uj')],
    ['Meteora', derived('pool_authority', 'cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG')],
    ['Meteora', derived('pool_authority', 'dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN')],
  ])
  for (const { address } of owners) expect(infrastructureOf('SOLANA').get(address)).toMatchObject({ category: 'dex' })
})
