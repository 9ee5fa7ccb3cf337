/** A local chain with real exchanges at their published addresses, for evaluations and tests. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { encodeAbiParameters, encodeFunctionData, http, parseAbi } from 'viem'
import { z } from 'zod'
import { startAnvil, stopOnError } from '../../../../deploy/demo/node/anvil.ts'
import type { Network } from '../../../../schema/networks.ts'
import type { Requester } from '../../../../scorer/contracts/chain/call.ts'
import { contractRegistry } from '../../../../scorer/contracts/subject/registry.ts'

export type Lab = Requester & {
  url: string
  /** Unlocked accounts with native coins. */
  accounts: string[]
  ask: <T>(method: string, ...params: unknown[]) => Promise<T>
  /** Sends and mines; returns the receipt. @throws Error if it reverts. */
  send: (tx: { from: string; to?: string; data?: string; value?: bigint }) => Promise<Receipt>
  deploy: (from: string, creation: string) => Promise<string>
  /** Deploys the network's V2 exchange (wrapped coin, factory, router). */
  installExchange: (network: Network) => Promise<void>
  /** Approves and adds native liquidity through the network's router; returns the pair. */
  addLiquidity: (network: Network, from: string, token: string, tokens: bigint, native: bigint) => Promise<string>
  stop: () => Promise<void>
}

const receipt = z.object({
  status: z.string(),
  contractAddress: z.string().nullish(),
  blockNumber: z.string(),
  transactionHash: z.string(),
})
export type Receipt = z.infer<typeof receipt>

const artifact = z.union([
  z.object({ bytecode: z.string() }).transform((value) => value.bytecode),
  z
    .object({ evm: z.object({ bytecode: z.object({ object: z.string() }) }) })
    .transform((value) => value.evm.bytecode.object),
])
const require = createRequire(import.meta.url)

/** Creation code of an npm build artifact. */
export const artifactCode = (path: string): string => {
  const code = artifact.parse(JSON.parse(readFileSync(require.resolve(path), 'utf8')))
  return code.startsWith('0x') ? code : `0x${code}`
}

const erc20 = parseAbi(['function approve(address,uint256) returns (bool)'])
const router = parseAbi([
  'function addLiquidityETH(address token,uint256 amount,uint256 minToken,uint256 minEth,address to,uint256 deadline) payable returns (uint256,uint256,uint256)',
])
const factory = parseAbi(['function getPair(address,address) view returns (address)'])

const MAX = (1n << 255n) - 1n
const hex = (address: string) => address as `0x${string}`

/** Starts anvil. `chainId` is 1 by default. */
export const startLab = async (chainId = 1): Promise<Lab> => {
  const anvil = await startAnvil({
    arguments: [
      ...['--chain-id', String(chainId), '--gas-limit', '60000000', '--code-size-limit', '200000'],
      ...['--balance', '100000000', '--accounts', '10', '--hardfork', 'prague', '--auto-impersonate'],
    ],
  })
  const { url } = anvil
  const transport = http(url, { retryCount: 0, timeout: 60_000 })({})
  const request: Requester['request'] = (args) => transport.request(args as never)
  const ask = async <T>(method: string, ...params: unknown[]): Promise<T> => (await request({ method, params })) as T
  const accounts = await stopOnError(anvil, () => ask<string[]>('eth_accounts'))

  const send: Lab['send'] = async (tx) => {
    const hash = await ask<string>('eth_sendTransaction', {
      ...tx,
      gas: '0x2faf080',
      ...(tx.value === undefined ? {} : { value: `0x${tx.value.toString(16)}` }),
    })
    const until = Date.now() + 30_000
    let answer: unknown = null
    while (answer === null && Date.now() < until) answer = await ask('eth_getTransactionReceipt', hash)
    const mined = receipt.parse(answer)
    if (mined.status !== '0x1') throw new Error(`transaction ${hash} reverted`)
    return mined
  }
  const deploy: Lab['deploy'] = async (from, creation) => {
    const { contractAddress } = await send({ from, data: creation })
    if (!contractAddress) throw new Error('nothing was deployed')
    return contractAddress.toLowerCase()
  }
  const place = async (address: string, creation: string, slots: number) => {
    const deployed = await deploy(accounts[9] ?? '', creation)
    await ask('anvil_setCode', address, await ask('eth_getCode', deployed, 'latest'))
    for (let i = 0; i < slots; i++) {
      const slot = `0x${i.toString(16)}`
      const key = `0x${i.toString(16).padStart(64, '0')}`
      await ask('anvil_setStorageAt', address, key, await ask('eth_getStorageAt', deployed, slot, 'latest'))
    }
  }
  const exchangeOf = (network: Network) => {
    const registry = contractRegistry(network)
    const exchange = registry?.exchanges.find((item) => item.kind === 'v2')
    if (!registry || exchange?.kind !== 'v2') throw new Error(`${network} has no V2 exchange`)
    return { wrapped: registry.wrappedNative, factory: exchange.factory, router: exchange.router }
  }

  return {
    url,
    accounts,
    request,
    ask,
    send,
    deploy,
    installExchange: async (network) => {
      const { wrapped, factory: factoryAddress, router: routerAddress } = exchangeOf(network)
      const two = (a: string, b: string) =>
        encodeAbiParameters([{ type: 'address' }, { type: 'address' }], [hex(a), hex(b)])
      const one = encodeAbiParameters([{ type: 'address' }], [hex(accounts[9] ?? '')])
      await place(wrapped, artifactCode('@uniswap/v2-periphery/build/WETH9.json'), 3)
      await place(factoryAddress, artifactCode('@uniswap/v2-core/build/UniswapV2Factory.json') + one.slice(2), 2)
      const code = artifactCode('@uniswap/v2-periphery/build/UniswapV2Router02.json')
      await place(routerAddress, code + two(factoryAddress, wrapped).slice(2), 0)
    },
    addLiquidity: async (network, from, token, tokens, native) => {
      const { wrapped, factory: factoryAddress, router: routerAddress } = exchangeOf(network)
      await send({ from, to: token, data: encodeFunctionData({ abi: erc20, args: [hex(routerAddress), tokens] }) })
      const args = [hex(token), tokens, 0n, 0n, hex(from), MAX] as const
      await send({ from, to: routerAddress, value: native, data: encodeFunctionData({ abi: router, args }) })
      const data = encodeFunctionData({ abi: factory, args: [hex(token), hex(wrapped)] })
      const pair = await ask<string>('eth_call', { to: factoryAddress, data }, 'latest')
      return `0x${pair.slice(26)}`
    },
    stop: anvil.stop,
  }
}
