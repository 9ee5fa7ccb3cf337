/** The sanctions oracle, an issuer and a mixer at their mainnet addresses on a local node, and the actions of their owners. */
import { type Address, encodeFunctionData, getAddress, type Hex, keccak256, parseEther, toHex } from 'viem'
import { ABI, ADDRESSES, loadUniswap, placeContracts } from '../../../deploy/demo/contracts/contracts.ts'
import { createRpc } from '../../../deploy/demo/node/rpc.ts'
import { until } from '../until.ts'
import type { Anvil } from './anvil.ts'

export type LocalAuthorities = {
  sanction: (...addresses: string[]) => Promise<string>
  delist: (...addresses: string[]) => Promise<string>
  freeze: (address: string) => Promise<string>
  release: (address: string) => Promise<string>
  /** The sender deposits one ether into the mixer. */
  mix: (sender: string) => Promise<string>
  /** Emits a log that has nothing to do with authorities. */
  chatter: () => Promise<string>
}

/** The address that belongs to a name. */
export const accountNamed = (name: string): Address => getAddress(`0x${keccak256(toHex(name)).slice(-40)}`)

export const placeAuthorities = async (anvil: Anvil): Promise<LocalAuthorities> => {
  const keeper = accountNamed('keeper')
  const issuer = accountNamed('issuer')
  await placeContracts(createRpc(anvil.url), loadUniswap(), { issuer, keeper })
  for (const account of [keeper, issuer]) await anvil.rpc('anvil_setBalance', account, toHex(parseEther('10')))

  const send = async (from: string, to: Address, data: Hex, value = 0n): Promise<string> => {
    await anvil.rpc('anvil_impersonateAccount', from)
    const hash = await anvil.rpc<string>('eth_sendTransaction', {
      from,
      to,
      data,
      value: toHex(value),
      gas: '0x2dc6c0',
    })
    const receipt = await until(
      'the transaction is mined',
      async () => (await anvil.rpc<{ status: string } | null>('eth_getTransactionReceipt', hash)) ?? undefined,
    )
    if (receipt.status !== '0x1') throw new Error(`${hash} failed`)
    return hash
  }
  const addresses = (list: readonly string[]) => list.map((one) => getAddress(one))
  let notes = 0

  return {
    sanction: (...list) =>
      send(
        keeper,
        ADDRESSES.sanctionsOracle,
        encodeFunctionData({ abi: ABI, functionName: 'addToSanctionsList', args: [addresses(list)] }),
      ),
    delist: (...list) =>
      send(
        keeper,
        ADDRESSES.sanctionsOracle,
        encodeFunctionData({ abi: ABI, functionName: 'removeFromSanctionsList', args: [addresses(list)] }),
      ),
    freeze: (address) =>
      send(
        issuer,
        ADDRESSES.usdc,
        encodeFunctionData({ abi: ABI, functionName: 'blacklist', args: [getAddress(address)] }),
      ),
    release: (address) =>
      send(
        issuer,
        ADDRESSES.usdc,
        encodeFunctionData({ abi: ABI, functionName: 'unBlacklist', args: [getAddress(address)] }),
      ),
    chatter: () =>
      send(keeper, ADDRESSES.usdc, encodeFunctionData({ abi: ABI, functionName: 'approve', args: [issuer, 1n] })),
    mix: async (sender) => {
      await anvil.rpc('anvil_setBalance', sender, toHex(parseEther('10')))
      notes += 1
      const note = keccak256(toHex(`note ${notes}`))
      return send(
        sender,
        ADDRESSES.mixerPool,
        encodeFunctionData({ abi: ABI, functionName: 'deposit', args: [note] }),
        parseEther('1'),
      )
    },
  }
}
