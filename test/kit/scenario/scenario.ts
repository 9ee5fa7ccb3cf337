/**
 * Scenarios on a real chain: named people act on given days, and anvil executes it all. Every transaction is kept, so that
 * a test can compare hashes. Actions of one moment share a block; addresses of contracts are known before they are
 * deployed, from nonces.
 */
import {
  type Address,
  encodeFunctionData,
  getContractAddress,
  type Hex,
  keccak256,
  parseAbiItem,
  stringToHex,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { createRpc, type RpcCall } from '../../../deploy/demo/node/rpc.ts'

export const ETHER = 10n ** 18n
export const DOLLAR = 10n ** 6n
export const UNLIMITED = 2n ** 256n - 1n
const DAY_S = 86_400
/** Start of every scenario, Unix seconds: after the forks that changed rules known to detectors. */
export const BEGINNING = Date.UTC(2026, 0, 1) / 1_000
/** Initial coins of everyone, for gas. No row shows their origin. */
const FUNDS = `0x${(1_000_000n * ETHER).toString(16)}`
const GAS = '0x3d0900'
const GWEI = 10n ** 9n

/** A transaction. `hash` is set once it was executed. */
export type ScenarioTx = {
  readonly from: Address
  readonly to?: Address
  readonly data?: Hex
  readonly value: bigint
  readonly nonce: number
  /** Whether it should fail. */
  readonly reverts: boolean
  readonly authorizationList?: readonly unknown[]
  hash: string
}
type Terms = { value?: bigint; reverts?: boolean }

/** Actions of people within one moment, in this order. Names that start with 0x are addresses. */
export type Actions = {
  pay: (from: string, to: string, value: bigint) => ScenarioTx
  call: (from: string, to: string, signature: string, args?: readonly unknown[], terms?: Terms) => ScenarioTx
  /** A payment of nothing whose calldata is text. */
  write: (from: string, to: string, text: string) => ScenarioTx
  /** Returns the contract's future address. */
  deploy: (from: string, creation: Hex) => Address
  /** An EIP-7702 authorization signed by `authority`, in a transaction paid by `from`. */
  delegate: (from: string, authority: string, delegate: Address) => ScenarioTx
}

const isAddress = (text: string): text is Address => /^0x[0-9a-f]{40}$/.test(text)
const accounts = new Map<string, PrivateKeyAccount>()

/** The account of a name, with its key. */
export const accountOf = (name: string): PrivateKeyAccount => {
  const account = accounts.get(name) ?? privateKeyToAccount(keccak256(stringToHex(`play: ${name}`)))
  accounts.set(name, account)
  return account
}
/** The lower-case address of a name. An address stays itself. */
export const who = (name: string): Address => {
  const address = name.startsWith('0x') ? name.toLowerCase() : accountOf(name).address.toLowerCase()
  if (isAddress(address)) return address
  throw new Error(`${name} is no address`)
}
/** The name used for an address; the address itself if there is none. */
export const nameOf = (address: string): string =>
  [...accounts].find(([, account]) => account.address.toLowerCase() === address)?.[0] ?? address

/** `prefix0`, `prefix1`, ... */
export const crowd = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`)

const signatures = new Map<string, Parameters<typeof encodeFunctionData>[0]['abi']>()

/** Calldata of a function given as in Solidity, `transfer(address to, uint256 value)` or shorter. */
export const calldata = (signature: string, args: readonly unknown[] = []): Hex => {
  const abi = signatures.get(signature) ?? [parseAbiItem(`function ${signature}` as 'function f()')]
  signatures.set(signature, abi)
  return encodeFunctionData({ abi, args } as Parameters<typeof encodeFunctionData>[0])
}

type Step = (actions: Actions) => unknown

export type Scenario = {
  /** Adds a step on a day (fractions allowed) after the beginning. Steps of one moment share a block, in their order. */
  at: (day: number, step: Step) => void
  /** Executes it on a node that mines on request and impersonates everyone. @throws Error if a transaction has another outcome */
  execute: (url: string) => Promise<{ blocks: number; transactions: number }>
  /** Transactions of the last execution by hash. */
  executed: () => ReadonlyMap<string, ScenarioTx>
}

const receiptsOf = (block: unknown) => block as { transactionHash: string; status: string }[]

export const createScenario = (): Scenario => {
  const steps = new Map<number, Step[]>()
  const transactions = new Map<string, ScenarioTx>()

  const actionsOf = (nonces: Map<string, number>, list: ScenarioTx[]): Actions => {
    const nextNonce = (address: Address) => {
      const nonce = nonces.get(address) ?? 0
      nonces.set(address, nonce + 1)
      return nonce
    }
    const act = (from: Address, tx: Partial<ScenarioTx>): ScenarioTx => {
      const done: ScenarioTx = { value: 0n, reverts: false, ...tx, from, nonce: nextNonce(from), hash: '' }
      list.push(done)
      return done
    }
    return {
      pay: (from, to, value) => act(who(from), { to: who(to), value }),
      call: (from, to, signature, args, terms) =>
        act(who(from), { to: who(to), data: calldata(signature, args), ...terms }),
      write: (from, to, text) => act(who(from), { to: who(to), data: stringToHex(text) }),
      deploy: (from, creation) => {
        const { nonce } = act(who(from), { data: creation })
        return who(getContractAddress({ from: who(from), nonce: BigInt(nonce) }))
      },
      delegate: (from, authority, delegate) => {
        // The sender's own nonce has risen before authorizations are checked (EIP-7702).
        const tx = act(who(from), { to: who(authority) })
        const signed = { account: accountOf(authority), address: delegate, nonce: nextNonce(who(authority)) }
        return Object.assign(tx, { authorizationList: [signed] })
      },
    }
  }

  const signedLists = async (list: ScenarioTx[]) => {
    for (const tx of list) {
      const signed = (tx.authorizationList ?? []) as {
        account: PrivateKeyAccount
        address: Address
        nonce: number
      }[]
      if (signed.length === 0) continue
      const authorizationList = await Promise.all(
        signed.map(async ({ account, address, nonce }) => {
          const { r, s, yParity } = await account.signAuthorization({ address, nonce, chainId: 1 })
          return { chainId: '0x1', address, nonce: toHex(nonce), r, s, yParity: toHex(yParity ?? 0) }
        }),
      )
      Object.assign(tx, { authorizationList })
    }
  }

  return {
    at: (day, step) => steps.set(day, [...(steps.get(day) ?? []), step]),
    executed: () => transactions,
    execute: async (url) => {
      transactions.clear()
      const rpc = createRpc(url)
      const nonces = new Map<string, number>()
      const rich = new Set<Address>()
      const height = Number(await rpc.call('eth_blockNumber'))
      const moments = [...steps].sort(([a], [b]) => a - b)
      const executed: ScenarioTx[][] = []
      for (const [day, list] of moments) {
        const block: ScenarioTx[] = []
        for (const step of list) await step(actionsOf(nonces, block))
        await signedLists(block)
        const poor = [...new Set(block.map(({ from }) => from))].filter((from) => !rich.has(from))
        for (const from of poor) rich.add(from)
        await rpc.batch(poor.map((from) => ['anvil_setBalance', [from, FUNDS]] as const))
        const hashes = await rpc.batch(block.map((tx, index) => request(tx, block.length - index)))
        await rpc.call('evm_mine', { timestamp: BEGINNING + Math.round(day * DAY_S) })
        for (const [index, tx] of block.entries()) tx.hash = String(hashes[index])
        executed.push(block)
      }
      const answers = await rpc.batch(
        executed.map((_, index) => ['eth_getBlockReceipts', [toHex(height + 1 + index)]] as const),
      )
      for (const [index, block] of executed.entries()) {
        const statuses = new Map(receiptsOf(answers[index]).map((one) => [one.transactionHash, one.status]))
        for (const [place, tx] of block.entries()) {
          transactions.set(tx.hash, tx)
          const status = statuses.get(tx.hash)
          if (status === (tx.reverts ? '0x0' : '0x1')) continue
          const ended = status === undefined ? 'was not mined' : tx.reverts ? 'succeeded' : 'failed'
          throw new Error(`day ${moments[index]?.[0]}, tx ${place} (${tx.from} to ${tx.to ?? 'nobody'}) ${ended}`)
        }
      }
      return { blocks: executed.length, transactions: transactions.size }
    },
  }
}

const toHex = (value: number | bigint): Hex => `0x${value.toString(16)}`

/** Earlier transactions pay higher fees, which keeps their order in a block. */
const request = ({ from, to, data, value, nonce, authorizationList }: ScenarioTx, urgency: number): RpcCall => [
  'eth_sendTransaction',
  [
    {
      from,
      ...(to ? { to } : {}),
      ...(data ? { data } : {}),
      ...(authorizationList ? { authorizationList } : {}),
      ...{ value: toHex(value), nonce: toHex(nonce), gas: GAS },
      ...{ maxFeePerGas: toHex(3n * GWEI + BigInt(urgency)), maxPriorityFeePerGas: toHex(BigInt(urgency)) },
    },
  ],
]
