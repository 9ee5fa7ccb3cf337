/** Histories of a few people on a local node, funded and signed as on mainnet: the node grants nothing. */
import { encodeFunctionData, type Hex, parseEther, stringToHex, toHex } from 'viem'
import { ABI, ADDRESSES } from '../../../deploy/demo/contracts/contracts.ts'
import { until } from '../until.ts'
import type { Anvil } from './anvil.ts'
import { accountNamed } from './authorities.ts'

export type Sent = { to: string; value?: bigint; data?: Hex; fails?: true }

export type Histories = {
  /** Paid by the first unlocked account. */
  fund: (name: string, value: bigint) => Promise<void>
  send: (name: string, what: Sent) => Promise<string>
  /** Sends a threat with a demand as calldata. */
  threaten: (name: string, victim: string) => Promise<string>
  /** Deposits, transfers and withdraws wrapped coins, and fails once. */
  wrap: (name: string, shop: string) => Promise<void>
  /** The issuer mints dollars to an account that signs nothing. */
  dollars: (name: string, amount: bigint) => Promise<string>
}

const THREAT =
  'I have your photos and I will leak your photos to your family. Send 2 ETH to this address within 48 hours.'

export const createHistories = async (anvil: Anvil): Promise<Histories> => {
  const [bank = ''] = await anvil.rpc<string[]>('eth_accounts')

  const from = async (sender: string, { to, value = 0n, data, fails }: Sent): Promise<string> => {
    await anvil.rpc('anvil_impersonateAccount', sender)
    const transaction = { from: sender, to, value: toHex(value), gas: toHex(300_000), ...(data && { data }) }
    const hash = await anvil.rpc<string>('eth_sendTransaction', transaction)
    const receipt = await until(
      'the transaction is mined',
      async () => (await anvil.rpc<{ status: string } | null>('eth_getTransactionReceipt', hash)) ?? undefined,
    )
    if ((receipt.status === '0x1') === (fails === true)) throw new Error(`${hash} has status ${receipt.status}`)
    return hash
  }
  const send: Histories['send'] = (name, what) => from(accountNamed(name), what)

  return {
    fund: async (name, value) => {
      await from(bank, { to: accountNamed(name), value })
    },
    send,
    threaten: (name, victim) => send(name, { to: accountNamed(victim), data: stringToHex(THREAT) }),
    wrap: async (name, shop) => {
      const call = (data: Hex, more: Partial<Sent> = {}) => send(name, { to: ADDRESSES.weth, data, ...more })
      await call(encodeFunctionData({ abi: ABI, functionName: 'deposit' }), { value: parseEther('1') })
      await call(
        encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [accountNamed(shop), parseEther('0.5')] }),
      )
      await call(encodeFunctionData({ abi: ABI, functionName: 'withdraw', args: [parseEther('0.2')] }))
      await call(encodeFunctionData({ abi: ABI, functionName: 'withdraw', args: [parseEther('100')] }), {
        fails: true,
      })
    },
    dollars: (name, amount) =>
      send('issuer', {
        to: ADDRESSES.usdc,
        data: encodeFunctionData({ abi: ABI, functionName: 'mint', args: [accountNamed(name), amount] }),
      }),
  }
}
