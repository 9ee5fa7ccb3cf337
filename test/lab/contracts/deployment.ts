/** Deploys a compiled contract on the lab chain: constructor arguments, a holder, a pool. */
import { type AbiParameter, encodeAbiParameters, parseEther } from 'viem'
import type { Network } from '../../../schema/networks.ts'
import { createChainReader } from '../../../scorer/contracts/chain/chain.ts'
import { addressOf } from '../../../scorer/contracts/code/abstract/facts.ts'
import { bytesOf } from '../../../scorer/contracts/code/bytecode.ts'
import { interpret } from '../../../scorer/contracts/code/interpret.ts'
import { contractRegistry } from '../../../scorer/contracts/subject/registry.ts'
import { findBalanceSlot, freshAddress } from '../../../scorer/contracts/trade/simulation-setup.ts'
import type { Lab } from '../../kit/contracts/markets/exchange-chain.ts'
import { type Compiled, isToken } from '../../kit/contracts/solidity/compile.ts'

export type Deployed = {
  address: string
  network: Network
  pair: string | undefined
  /** Reason why there is no pool. */
  note: string
}

/** Reserves of a V2 pair are 112 bits wide. */
const MAX_POOLED = 1n << 108n
const RICH = `0x${parseEther('1000000').toString(16)}`

/** The contract of a file that is evaluated: the largest token, or the largest contract. */
export const mainContract = (contracts: Compiled[]): Compiled | undefined => {
  const tokens = contracts.filter(isToken)
  return [...(tokens.length > 0 ? tokens : contracts)].sort((a, b) => b.runtime.length - a.runtime.length)[0]
}

const routerOf = (network: Network): string => {
  const exchange = contractRegistry(network)?.exchanges.find((item) => item.kind === 'v2')
  return exchange?.kind === 'v2' ? exchange.router : ''
}

/** A plausible value for a constructor parameter, by type and name. `attempt` varies numbers. */
const plausible = (lab: Lab, network: Network, parameter: AbiParameter, index: number, attempt: number): unknown => {
  const { type } = parameter
  const name = (parameter.name ?? '').toLowerCase()
  const fixed = /^(.*)\[(\d*)\]$/.exec(type)
  if (fixed) {
    const count = fixed[2] ? Number(fixed[2]) : 1
    return Array.from({ length: count }, (_, i) =>
      plausible(lab, network, { ...parameter, type: fixed[1] ?? 'uint256' } as AbiParameter, index + i, attempt),
    )
  }
  if (type === 'address') {
    if (name.includes('router')) return routerOf(network)
    // A proxy needs code behind it. Which code is not part of the corpus; any code makes it a proxy.
    if (/logic|implementation|target|beacon|singleton/.test(name)) return contractRegistry(network)?.wrappedNative
    if (name.includes('weth') || name.includes('wbnb')) return contractRegistry(network)?.wrappedNative
    return attempt === 2 ? lab.accounts[0] : lab.accounts[(index % 6) + 1]
  }
  if (type === 'bool') return true
  if (type === 'string') return 'Token'
  if (type === 'bytes') return '0x'
  if (type.startsWith('bytes')) return `0x${'00'.repeat(Number(type.slice(5)))}`
  if (type === 'uint8' || name.includes('decimal')) return attempt === 2 ? 9n : 18n
  if (/fee|tax|percent|rate/.test(name)) return 2n
  if (/supply|total|amount|cap/.test(name)) return attempt === 0 ? 10n ** 9n : 10n ** 27n
  return attempt === 0 ? 1_000n : attempt === 1 ? 5n : 10n ** 24n
}

const encodeConstructor = (lab: Lab, network: Network, contract: Compiled, attempt: number): string => {
  const inputs = (contract.abi.find((item) => item.type === 'constructor')?.inputs ?? []) as AbiParameter[]
  if (inputs.length === 0) return ''
  try {
    return encodeAbiParameters(
      inputs,
      inputs.map((input, i) => plausible(lab, network, input, i, attempt)),
    ).slice(2)
  } catch {
    return ''
  }
}

/** 20-byte constants of creation code. */
const constantsOf = (creation: string): string[] => {
  const code = bytesOf(creation)
  const found = new Set<string>()
  for (let pc = 0; pc < code.length; pc++) {
    const op = code[pc] ?? 0
    if (op === 0x73)
      found.add(addressOf(BigInt(`0x${Buffer.from(code.subarray(pc + 1, pc + 21)).toString('hex') || '0'}`)))
    if (op >= 0x60 && op <= 0x7f) pc += op - 0x5f
  }
  return [...found].filter((address) => BigInt(address) > 0xffffffffn && !address.startsWith('0xffffffff'))
}

/** Puts a router behind every constant without code: exchanges that this chain does not know. */
const standIns = async (lab: Lab, network: Network, creation: string) => {
  const router = await lab.ask<string>('eth_getCode', routerOf(network), 'latest')
  for (const address of constantsOf(creation)) {
    const code = await lab.ask<string>('eth_getCode', address, 'latest')
    if (code === '0x') await lab.ask('anvil_setCode', address, router)
  }
}

const deployAny = async (lab: Lab, network: Network, contract: Compiled): Promise<string | undefined> => {
  const from = lab.accounts[0] ?? ''
  const build = contract.abi.find((item) => item.type === 'constructor')
  const payable = build?.stateMutability === 'payable' || build?.payable === true
  for (const stand of [false, true]) {
    if (stand) await standIns(lab, network, contract.creation)
    for (const attempt of [0, 1, 2]) {
      try {
        const data = contract.creation + encodeConstructor(lab, network, contract, attempt)
        const mined = await lab.send({ from, data, ...(payable ? { value: parseEther('1') } : {}) })
        if (mined.contractAddress) return mined.contractAddress.toLowerCase()
      } catch {}
      if (!build?.inputs?.length) break
    }
  }
  return undefined
}

const word = (address: string) => address.slice(2).toLowerCase().padStart(64, '0')

const readUint = async (lab: Lab, to: string, data: string): Promise<bigint> => {
  try {
    const answer = await lab.ask<string>('eth_call', { to, data }, 'latest')
    return answer.length >= 66 ? BigInt(answer.slice(0, 66)) : 0n
  } catch {
    return 0n
  }
}

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef'

/** The largest holder: the deployer, the owner, receivers of Transfer events or the token itself. */
const holderOf = async (lab: Lab, token: string): Promise<{ who: string; amount: bigint } | undefined> => {
  const logs = await lab.ask<{ topics: string[] }[]>('eth_getLogs', {
    address: token,
    topics: [TRANSFER],
    fromBlock: '0x0',
  })
  const owner = addressOf(await readUint(lab, token, '0x8da5cb5b'))
  const people = [...lab.accounts, owner, token, ...logs.map((log) => `0x${(log.topics[2] ?? '').slice(26)}`)].filter(
    (who) => who.length === 42,
  )
  let best: { who: string; amount: bigint } | undefined
  for (const who of new Set(people)) {
    const amount = await readUint(lab, token, `0x70a08231${word(who)}`)
    if (amount > (best?.amount ?? 0n)) best = { who, amount }
  }
  return best
}

/**
 * Gives the deployer the supply by writing storage, or a billion tokens where there is none: for contracts that mint only
 * during normal operation.
 */
const grantTokens = async (lab: Lab, token: string): Promise<{ who: string; amount: bigint } | undefined> => {
  const who = lab.accounts[0] ?? ''
  const now = Date.now
  const chain = await createChainReader(lab, 'latest', { requestMs: 5_000, endsAt: now() + 20_000, now })
  const facts = interpret(bytesOf(await chain.code(token))).functions
  const bases = facts.find((item) => item.selector === '0x70a08231')?.maps.filter((base) => base !== 'other') ?? []
  const slot = await findBalanceSlot(chain, token, bases)
  if (!slot) return undefined
  const supply = await readUint(lab, token, '0x18160ddd')
  const amount = `0x${(supply > 0n ? supply : 10n ** 27n).toString(16).padStart(64, '0')}`
  await lab.ask('anvil_setStorageAt', slot.contract, slot.slotOf(who), amount)
  for (const ref of facts.find((item) => item.selector === '0x18160ddd')?.reads.slice(0, 2) ?? []) {
    if ((await readUint(lab, token, '0x18160ddd')) === 0n) await lab.ask('anvil_setStorageAt', token, ref.slot, amount)
  }
  const held = await readUint(lab, token, `0x70a08231${word(who)}`)
  return held > 0n ? { who, amount: held } : undefined
}

/** Adds a pool of 20 native coins and half of the largest holding. */
const addPool = async (
  lab: Lab,
  network: Network,
  token: string,
): Promise<{ pair: string | undefined; note: string }> => {
  const holder = (await holderOf(lab, token)) ?? (await grantTokens(lab, token))
  if (!holder) return { pair: undefined, note: 'nobody holds tokens' }
  const share = holder.amount / 2n < MAX_POOLED ? holder.amount / 2n : MAX_POOLED
  const funded = freshAddress('pool maker')
  let from = holder.who
  await lab.ask('anvil_setBalance', from, RICH)
  const attempts: (() => Promise<string>)[] = [
    () => lab.addLiquidity(network, from, token, share, parseEther('20')),
    async () => {
      await lab.ask('anvil_setBalance', funded, RICH)
      await lab.send({
        from,
        to: token,
        data: `0xa9059cbb${word(funded)}${share.toString(16).padStart(64, '0')}`,
      })
      from = funded
      const held = await readUint(lab, token, `0x70a08231${word(funded)}`)
      return lab.addLiquidity(network, funded, token, held, parseEther('20'))
    },
  ]
  let note = ''
  for (const attempt of attempts) {
    try {
      const pair = await attempt()
      return { pair, note: '' }
    } catch (error) {
      note = error instanceof Error ? error.message.slice(0, 120) : String(error)
    }
  }
  return { pair: undefined, note }
}

/** Deploys and lists the contract. `undefined` if no constructor call succeeds. */
export const deployAndList = async (lab: Lab, contract: Compiled): Promise<Deployed | undefined> => {
  const network: Network = contract.creation.toLowerCase().includes(routerOf('BNB').slice(2)) ? 'BNB' : 'ETH'
  const address = await deployAny(lab, network, contract)
  if (!address) return undefined
  if (!isToken(contract)) return { address, network, pair: undefined, note: 'not a token' }
  return { address, network, ...(await addPool(lab, network, address)) }
}
