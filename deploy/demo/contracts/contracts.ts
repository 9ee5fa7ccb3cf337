/** Contracts of the demonstration: our own, compiled, and Uniswap V2 from its npm packages. */
import { createRequire } from 'node:module'
import { type Address, encodeAbiParameters, type Hex, keccak256, parseAbi } from 'viem'
import { z } from 'zod'
import { BugError, OperatorError } from '../../../platform/errors.ts'
import type { Rpc } from '../node/rpc.ts'
import compiled from './contracts.json' with { type: 'json' }

/** Addresses of the real contracts on Ethereum. */
export const ADDRESSES = {
  weth: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  usdc: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  sanctionsOracle: '0x40C57923924B5c5c5455c48D93317139ADDaC8fb',
  mixerPool: '0x47CE0C6eD5B0Ce3d3A51fdb1C52DC66a7c3c2936',
  factory: '0x5C69bEe701ef814a2B6a3EDD4B1652CB9cc5aA6f',
  router: '0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D',
} as const satisfies Record<string, Address>

/** Every function the scenario calls. */
export const ABI = parseAbi([
  'function approve(address spender, uint256 value) returns (bool)',
  'function transfer(address to, uint256 value) returns (bool)',
  'function deposit() payable',
  'function withdraw(uint256 wad)',
  'function mint(address to, uint256 amount) returns (bool)',
  'function blacklist(address account)',
  'function unBlacklist(address account)',
  'function addToSanctionsList(address[] addrs)',
  'function removeFromSanctionsList(address[] addrs)',
  'function deposit(bytes32 commitment) payable',
  'function withdraw(bytes proof, bytes32 root, bytes32 nullifierHash, address recipient, address relayer, uint256 fee, uint256 refund) payable',
  'function close(address pool)',
  'function drain(address token, address victim, address affiliate)',
  'function turn(address router, address[] there, address[] back) payable',
  'function addLiquidity(address tokenA, address tokenB, uint256 amountADesired, uint256 amountBDesired, uint256 amountAMin, uint256 amountBMin, address to, uint256 deadline) returns (uint256, uint256, uint256)',
  'function addLiquidityETH(address token, uint256 amountTokenDesired, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline) payable returns (uint256, uint256, uint256)',
  'function removeLiquidityETH(address token, uint256 liquidity, uint256 amountTokenMin, uint256 amountETHMin, address to, uint256 deadline) returns (uint256, uint256)',
  'function swapETHForExactTokens(uint256 amountOut, address[] path, address to, uint256 deadline) payable returns (uint256[])',
  'function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256 amountIn, uint256 amountOutMin, address[] path, address to, uint256 deadline)',
])

type OwnContract = keyof typeof compiled.contracts

const isHex = (text: string): text is Hex => /^0x[0-9a-f]*$/i.test(text)
const hex = (text: string): Hex => {
  const prefixed = text.startsWith('0x') ? text : `0x${text}`
  if (isHex(prefixed)) return prefixed
  throw new BugError(
    'ASSAY_DEMO_ARTIFACT_BROKEN',
    'A contract artifact contains no bytecode. Nothing was started. Report it.',
  )
}

/** Creation code of one of our contracts, with constructor arguments. */
export const creationCode = (name: OwnContract, ...args: (string | bigint)[]): Hex => {
  const types = args.map((arg) => ({
    type: typeof arg === 'bigint' ? 'uint256' : /^0x[0-9a-fA-F]{40}$/.test(arg) ? 'address' : 'string',
  }))
  return hex(`${compiled.contracts[name].bytecode}${encodeAbiParameters(types, args).slice(2)}`)
}

/** Creation codes of Uniswap V2. `pairCodeHash` determines the addresses of pairs (CREATE2, EIP-1014). */
export type Uniswap = { factory: Hex; router: Hex; pairCodeHash: Hex }

const artifact = z.object({ bytecode: z.string().transform(hex) })

/**
 * Loads Uniswap V2 from its npm packages (GPL-3.0; development dependencies that Assay does not ship).
 * @throws OperatorError ASSAY_DEMO_PACKAGE_MISSING
 */
export const loadUniswap = (): Uniswap => {
  const require = createRequire(import.meta.url)
  const load = (path: string): Hex => {
    try {
      return artifact.parse(require(path)).bytecode
    } catch (cause) {
      const name = path.split('/').slice(0, 2).join('/')
      throw new OperatorError(
        'ASSAY_DEMO_PACKAGE_MISSING',
        `The demonstration uses Uniswap V2, but the package ${name} with its contracts is not installed. Nothing was started. Run npm ci without --omit=dev, or set ETH_RPC_URL to follow a real node.`,
        { cause },
      )
    }
  }
  const uniswap = {
    factory: load('@uniswap/v2-core/build/UniswapV2Factory.json'),
    router: load('@uniswap/v2-periphery/build/UniswapV2Router02.json'),
    pairCodeHash: keccak256(load('@uniswap/v2-core/build/UniswapV2Pair.json')),
  }
  if (uniswap.router.includes(uniswap.pairCodeHash.slice(2))) return uniswap
  throw new OperatorError(
    'ASSAY_DEMO_PACKAGE_MISSING',
    'The installed @uniswap/v2-periphery was built for another pair contract than the installed @uniswap/v2-core. Nothing was started. Run npm ci.',
  )
}

/**
 * Installs the contracts at their addresses on Ethereum. Constructors run in an `eth_call`, which returns the runtime code
 * with immutables. Their storage writes are not kept.
 */
export const placeContracts = async (
  rpc: Rpc,
  uniswap: Uniswap,
  owners: { issuer: Address; keeper: Address },
): Promise<void> => {
  const withAddresses = (code: Hex, ...args: Address[]): Hex =>
    `${code}${encodeAbiParameters(
      args.map(() => ({ type: 'address' })),
      args,
    ).slice(2)}`
  const creations: [Address, Hex][] = [
    [ADDRESSES.weth, creationCode('WrappedEther')],
    [ADDRESSES.usdc, creationCode('DollarIssuer', owners.issuer)],
    [ADDRESSES.sanctionsOracle, creationCode('SanctionsList', owners.keeper)],
    [ADDRESSES.mixerPool, creationCode('MixerPool', 10n ** 18n)],
    [ADDRESSES.factory, withAddresses(uniswap.factory, '0x0000000000000000000000000000000000000000')],
    [ADDRESSES.router, withAddresses(uniswap.router, ADDRESSES.factory, ADDRESSES.weth)],
  ]
  const codes = await rpc.batch(
    creations.map(([, data]) => ['eth_call', [{ data, gas: '0xb71b00' }, 'latest']] as const),
  )
  await rpc.batch(creations.map(([address], index) => ['anvil_setCode', [address, codes[index]]] as const))
}
