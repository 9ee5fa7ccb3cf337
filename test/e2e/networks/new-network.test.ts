/**
 * A network is one entry. Before anything is loaded, vitest replaces the module that lists the entries
 * (`schema/networks/all.ts`) by the same list with a made-up network in it, which is what a developer does who adds a
 * line to that file. Nothing else knows the network, and the product has no way to add one at run time.
 */
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createFraudProvider } from '../../../api/answers/providers/fraud.ts'
import { createServeCounts } from '../../../api/answers/served/bases.ts'
import { ADDRESSES, loadUniswap, placeContracts } from '../../../deploy/demo/contracts/contracts.ts'
import { createRpc } from '../../../deploy/demo/node/rpc.ts'
import { loadConfig } from '../../../platform/config/config.ts'
import { networksWith } from '../../../schema/networks/capabilities.ts'
import { NETWORK_CODES, type Network, type NetworkInfo, networkInfo, parseNetwork } from '../../../schema/networks.ts'
import { createRescore } from '../../../scorer/rescore/rescore.ts'
import { createWalletModel } from '../../../scorer/scoring/model/wallet-model.ts'
import { startApi, testContext } from '../../contract/api/kit.ts'
import { type Anvil, startAnvil } from '../../kit/chain/anvil.ts'
import { BEGINNING, createScenario, crowd, ETHER, who } from '../../kit/scenario/scenario.ts'
import { openVerdicts, type Verdicts } from '../../kit/scenario/verdicts.ts'
import { until } from '../../kit/until.ts'

const MOONLIGHT = vi.hoisted(
  (): NetworkInfo => ({
    code: 'MOONLIGHT',
    aliases: ['moon'],
    labelAliases: ['mnl20'],
    family: 'evm',
    bech32Prefix: null,
    nativeCoin: { symbol: 'MNL', decimals: 18, dust: 10n ** 15n, poisoningDust: 10n ** 16n, per1000Usd: 10 },
    tokenDust: 10n ** 7n,
    chainId: 424_242,
    genesisHash: null,
    dialect: { ethermint: false, stateSync: false, verifies: { header: true, transactions: true, receipts: true } },
    finality: { kind: 'depth', depth: 4 },
    blockTimeMs: 1_000,
    timeStep: 1,
    reorgWindow: 16,
    traces: true,
    eip6780From: null,
    operations: ['fraud_check'],
    facts: {
      assets: [],
      bridgedAssets: [],
      tokenBridges: [],
      bridgeRoutes: [],
      messageBridges: [],
      sanctionsOracles: [{ address: '0x40C57923924B5c5c5455c48D93317139ADDaC8fb', name: 'Moonlight sanctions oracle' }],
      issuers: [],
      mixerPools: [],
      mixerRouters: [],
      privacyProtocols: [],
      dexFactories: [],
      dexRouters: [],
      lockers: [],
      services: [],
      protocols: [],
      gasTokens: [],
      legacyNfts: [],
    },
  }),
)
vi.mock('../../../schema/networks/all.ts', async (original) => {
  const { NETWORKS } = await original<typeof import('../../../schema/networks/all.ts')>()
  return { NETWORKS: { ...NETWORKS, MOONLIGHT } }
})

/** The type knows the networks of the source only. */
const NETWORK = MOONLIGHT.code as Network

const scenario = createScenario()
for (const day of [1, 2, 3, 4, 5, 6])
  scenario.at(day, ({ pay }) => {
    for (const shop of crowd('shop', 3)) pay('customer', shop, ETHER / 20n)
  })
scenario.at(7, ({ call }) => {
  call('keeper', ADDRESSES.sanctionsOracle, 'addToSanctionsList(address[])', [[who('shop0')]])
})

let anvil: Anvil
let verdicts: Verdicts
let api: Awaited<ReturnType<typeof startApi>>

beforeAll(async () => {
  anvil = await startAnvil({
    chainId: 424_242,
    args: ['--no-mining', '--auto-impersonate', '--gas-limit', '3000000000', '--timestamp', String(BEGINNING - 60)],
  })
  verdicts = await openVerdicts(anvil, NETWORK)
  await placeContracts(createRpc(anvil.url), loadUniswap(), { issuer: who('issuer'), keeper: who('keeper') })
  await scenario.execute(anvil.url)
  await verdicts.start()
  await verdicts.caughtUp()
  const { store } = verdicts
  const context = testContext()
  const rescore = createRescore({ context, store, model: createWalletModel() })
  const provider = createFraudProvider({ store, clock: context.clock, rescore, publish: async () => {} })
  api = await startApi({ providers: { fraud_check: provider }, serveCounts: createServeCounts(store) }, context)
})
afterAll(async () => {
  await api?.close()
  await verdicts?.close()
  await anvil?.stop()
})

const check = (network: string, address: string) => api.ask('/fraud/check', { network, walletAddress: address })

test('follows its blocks, and scores and serves its wallets, under code and alias', async () => {
  for (const name of ['MOONLIGHT', 'moon']) {
    const { status, body } = await check(name, who('customer'))
    expect([status, body.chain, body.status]).toEqual([200, 'MOONLIGHT', 'Not Fraud'])
  }
})

test('the sanctions oracle in its entry flags wallets', async () => {
  const { body } = await check('MOONLIGHT', who('shop0'))
  expect([body.status, body.forensic_details.sanctioned]).toEqual(['Fraud', '1'])
})

test('blocks become final by its own rule', async () => {
  const final = (await anvil.blockNumber()) - 4
  const finalHeight = async () => {
    const [row] = await verdicts.store.query<{ height: number | string }>(
      'SELECT max(block_number) AS height FROM blocks WHERE network = {network:String}',
      { network: NETWORK },
    )
    return Number(row?.height)
  }
  await until('blocks four deep are final', async () => (await finalHeight()) >= final)
  expect(await finalHeight()).toBe(final)
})

test('networks do not share what they saw', async () => {
  expect((await check('ETH', who('customer'))).status).toBe(404)
})

test('names, settings, capabilities and the published document follow from the entry', async () => {
  expect(NETWORK_CODES.at(-1)).toBe('MOONLIGHT')
  expect(networkInfo(NETWORK)).toBe(MOONLIGHT)
  expect(parseNetwork('Moon')).toBe('MOONLIGHT')
  expect(networksWith('sanctions-oracles')).toContain('MOONLIGHT')
  expect(networksWith('mixers')).not.toContain('MOONLIGHT')
  expect(loadConfig({ MOONLIGHT_RPC_URL: anvil.url, MOONLIGHT_START_BLOCK: '7' }).networks).toEqual([
    { network: 'MOONLIGHT', urls: [anvil.url], startBlock: 7 },
  ])
  const document = await api.app.inject({ url: '/openapi.json' })
  expect(document.json().components.schemas.FraudCheckRequest.properties.network.enum).toContain('MOONLIGHT')
  const refused = await check('MOONSHINE', who('customer'))
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([400, expect.stringContaining('MOONLIGHT')])
})
