import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBloom } from '../../../indexer/source/evm/bloom.ts'
import { placeReceipts } from '../../../indexer/source/evm/check.ts'
import type { RawHeader, RawReceipt } from '../../../indexer/source/evm/raw.ts'
import { createVerifier } from '../../../indexer/source/evm/verify/index.ts'
import { ETHEREUM_DIALECT } from '../../../schema/networks/evm.ts'
import { type Anvil, startAnvil } from '../../kit/chain/anvil.ts'
import { until } from '../../kit/until.ts'

/** The first account that anvil unlocks. */
const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80')
const other = privateKeyToAccount('0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d')
const TO = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8'
/** A contract that logs nothing but its topic: LOG1 with topic CALLDATASIZE. */
const LOGGER = '0x6006600c60003960066000f3365f5fa100'

let anvil: Anvil
beforeAll(async () => {
  anvil = await startAnvil({ args: ['--hardfork', 'prague'] })
})
afterAll(() => anvil.stop())

const check = (block: RawHeader, receipts: RawReceipt[]) => {
  const dialect = ETHEREUM_DIALECT
  for (const [index] of block.transactions.entries()) {
    const random = () => (index + 0.5) / block.transactions.length / 4
    createVerifier(dialect, createBloom(), { random }).transactions(block)
  }
  const verifier = createVerifier(dialect, createBloom())
  verifier.header(block)
  verifier.receipts(block, placeReceipts(block, receipts, { dialect, patient: true }))
}

test('blocks of a Prague node with every transaction type verify, with 1 to 300 transactions', async () => {
  const gas = { gas: 500_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 10n ** 9n }
  const fees = { chainId: 1, value: 1n, ...gas }
  let nonce = 0
  const next = () => nonce++
  const send = async (raw: string) => void (await anvil.rpc('eth_sendRawTransaction', raw))
  const everyType = async () => {
    await send(
      await account.signTransaction({
        type: 'legacy',
        chainId: 1,
        nonce: next(),
        to: TO,
        gas: 500_000n,
        gasPrice: 10n ** 11n,
      }),
    )
    await send(
      await account.signTransaction({
        type: 'legacy',
        nonce: next(),
        data: LOGGER,
        gas: 500_000n,
        gasPrice: 10n ** 11n,
      }),
    )
    const accessList = [{ address: TO, storageKeys: [`0x${'01'.repeat(32)}`] }] as const
    await send(
      await account.signTransaction({
        type: 'eip2930',
        chainId: 1,
        nonce: next(),
        to: TO,
        gas: 500_000n,
        gasPrice: 10n ** 11n,
        accessList,
      }),
    )
    await send(await account.signTransaction({ type: 'eip1559', ...fees, nonce: next(), to: TO, accessList }))
    const authorization = await other.signAuthorization({ chainId: 1, nonce: 0, contractAddress: TO })
    await send(
      await account.signTransaction({
        type: 'eip7702',
        ...fees,
        nonce: next(),
        to: TO,
        authorizationList: [authorization],
      }),
    )
  }
  const types = new Set<number>()
  await anvil.rpc('evm_setAutomine', false)
  for (const count of [1, 2, 16, 127, 128, 129, 300]) {
    for (let sent = 0; sent + 5 <= count && sent < 20; sent += 5) await everyType()
    const pending = () => anvil.rpc<{ pending: string }>('txpool_status').then((status) => Number(status.pending))
    for (let left = count - (await pending()); left > 0; left -= 1) {
      await send(await account.signTransaction({ type: 'eip1559', ...fees, gas: 21_000n, nonce: next(), to: TO }))
    }
    await anvil.mine(1)
    await until('the block is there', async () => (await pending()) === 0)
    const block = await anvil.rpc<RawHeader>('eth_getBlockByNumber', 'latest', true)
    expect(block.transactions).toHaveLength(count)
    for (const { type } of block.transactions) types.add(Number(type))
    check(block, await anvil.rpc<RawReceipt[]>('eth_getBlockReceipts', block.hash))
  }
  expect([...types].sort()).toEqual([0, 1, 2, 4])
})

test('accepts a transaction of an impersonated account from a development node only', async () => {
  const nobody = '0x00000000000000000000000000000000000abcde'
  await anvil.rpc('anvil_setBalance', nobody, '0xde0b6b3a7640000')
  await anvil.rpc('anvil_impersonateAccount', nobody)
  const hash = await anvil.rpc('eth_sendTransaction', { from: nobody, to: TO, value: '0x5' })
  await anvil.rpc('anvil_mine', '0x1')
  const { blockNumber } = (await anvil.rpc('eth_getTransactionByHash', hash)) as { blockNumber: string }
  const block = (await anvil.rpc('eth_getBlockByNumber', blockNumber, true)) as RawHeader
  const verify = (impersonation: boolean, what: RawHeader) =>
    createVerifier(ETHEREUM_DIALECT, createBloom(), { impersonation, random: () => 0 }).transactions(what)
  expect(() => verify(true, block)).not.toThrow()
  expect(() => verify(false, block)).toThrow('hashes to')
  const forged = { ...block, transactions: block.transactions.map((one) => ({ ...one, value: '0x6' })) }
  expect(() => verify(true, forged)).toThrow('do not make up its root')
})
