import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, test } from 'vitest'
import type { RawTrace } from '../../../../indexer/source/evm/raw.ts'
import { A, B, blockOf, C, decodeCounted, SENDER, TOKEN } from './decode.helpers.ts'

const frame = (type: RawTrace['type'], own: Partial<RawTrace>): RawTrace => ({
  txIndex: 0,
  txHash: `0x${'ab'.repeat(32)}`,
  frameIndex: 1,
  depth: 1,
  type,
  from: A,
  to: B,
  value: '0x0',
  reverted: false,
  ...own,
})

describe('transactions', () => {
  const decoded = (
    extra: Parameters<typeof blockOf>[1],
    change: (raw: ReturnType<typeof blockOf>) => unknown = () => {},
  ) => {
    const raw = blockOf([], extra)
    change(raw)
    return decodeCounted('ETH', raw).block.rows
  }

  test('huge nonces and unknown types pass', () => {
    expect(decoded({ nonce: '0x7fffffffffffffee', type: '0x3f' }).transactions[0]).toMatchObject({
      nonce: '9223372036854775790',
      type: 63,
    })
  })

  test('L1 and blob fees are part of the fee', () => {
    const rows = decoded({ type: '0x3' }, ({ receipts }) =>
      Object.assign(receipts[0]!, { l1Fee: '0x64', blobGasUsed: '0x20000', blobGasPrice: '0x3' }),
    )
    expect(rows.transactions[0]?.fee).toBe(String(21_000 + 100 + 0x20000 * 3))
  })

  test('value moves only when the transaction worked', () => {
    expect(decoded({ value: '0x5' }).ledger.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['native', '5'],
      ['native', '5'],
    ])
    expect(decoded({ value: '0x5' }, ({ receipts }) => Object.assign(receipts[0]!, { status: '0x0' })).ledger).toEqual(
      [],
    )
    const lost = decoded({ value: '0x5' }, (raw) => raw.receipts.splice(0))
    expect(lost.ledger).toEqual([])
    expect(lost.transactions[0]).toMatchObject({ status: 2, fee: '0' })
  })

  test('keeps calldata that is text, and drops other calldata', () => {
    const text = 'Pay within 24h or else — 支払い'
    const input = (message: string) => `0x${Buffer.from(message).toString('hex')}`
    expect(decoded({ input: input(text) }).transactions[0]?.message).toBe(text)
    expect(decoded({ input: input('too short') }).transactions[0]?.message).toBe('')
    expect(decoded({ input: input('é'.repeat(5_000)) }).transactions[0]?.message).toBe('é'.repeat(1_000))
    expect(decoded({ input: input('𝄞'.repeat(2_000)) }).transactions[0]?.message).toBe('𝄞'.repeat(1_000))
    expect(decoded({ input: `0xa9059cbb${'0'.repeat(128)}` }).transactions[0]?.message).toBe('')
  })

  test('reads the signer of authorizations, and skips those that the chain would skip', async () => {
    const account = privateKeyToAccount(`0x${'11'.repeat(32)}`)
    const delegate = TOKEN as `0x${string}`
    const sign = async (chainId: number, nonce: number) => {
      const { r, s, yParity } = await account.signAuthorization({ contractAddress: delegate, chainId, nonce })
      const hex = (value: number) => `0x${value.toString(16)}`
      return { chainId: hex(chainId), address: delegate, nonce: hex(nonce), yParity: hex(yParity ?? 0), r, s }
    }
    const good = [await sign(1, 0), await sign(0, 1_000_000), await sign(1, 129)]
    const highS = { ...(await sign(1, 5)), s: `0x${'f'.repeat(64)}` }
    const broken = { ...(await sign(1, 6)), r: '0x0' }
    const rows = decoded({ type: '0x4', authorizationList: [...good, await sign(56, 3), highS, broken] })
    const row = { authority: account.address.toLowerCase(), delegate, initiator: SENDER }
    expect(rows.delegations.map(({ authority, delegate, initiator }) => ({ authority, delegate, initiator }))).toEqual([
      row,
      row,
      row,
    ])
  })

  test('frames: value, creations and self-destructs that were not reverted, in call order', () => {
    const rows = decoded({}, (raw) => {
      raw.traces = [
        frame('call', { depth: 0, value: '0x9' }),
        frame('call', { value: '0x1' }),
        frame('call', { value: '0x2', reverted: true }),
        frame('callcode', { value: '0x3' }),
        frame('delegatecall', { value: '0x4' }),
        frame('create2', { to: C, output: '0x6001', value: '0x5' }),
        frame('suicide', { from: C, to: A, value: '0x5' }),
        frame('suicide', { from: B, to: A }),
      ]
    })
    expect(
      rows.ledger
        .filter(({ direction }) => direction === 1)
        .map(({ kind, counterparty, address, amount }) => [kind, counterparty, address, amount]),
    ).toEqual([
      ['internal', A, B, '1'],
      ['internal', A, C, '5'],
      ['internal', C, A, '5'],
    ])
    expect(
      rows.creations.map(({ event, contract, creator, root_creator, code_size }) => [
        event,
        contract,
        creator,
        root_creator,
        code_size,
      ]),
    ).toEqual([
      ['create', C, A, SENDER, 2],
      ['destroy', C, A, SENDER, 0],
      ['destroy', B, A, SENDER, 0],
    ])
    expect(new Set(rows.ledger.map(({ position }) => position)).size).toBe(3)
    expect(rows.blocks[0]?.sees_traces).toBe(1)
  })

  test('attributes contracts created by user operations to their accounts, not to the bundler', () => {
    const ENTRY_POINT = '0x0000000071727de22e5e9d8baf0edac6f37da032'
    const senderCreator = `0x${'5c'.repeat(20)}`
    const [born, other, factory, bundle] = ['b0', '07', 'fa', 'bd'].map((byte) => `0x${byte.repeat(20)}`) as [
      string,
      string,
      string,
      string,
    ]
    const made = (one: number) => `0x${'c0'.repeat(19)}0${one}`
    const word = (address: string) => `0x${'0'.repeat(24)}${address.slice(2)}`
    const creates = (depth: number, from: string, to: string) => frame('create2', { depth, from, to, output: '0x6001' })
    const rows = decoded({}, (raw) => {
      raw.traces = [
        frame('call', { depth: 0, to: bundle }),
        frame('call', { depth: 1, from: bundle, to: ENTRY_POINT }),
        // The account of the first operation comes into being, by a factory.
        frame('call', { depth: 2, from: ENTRY_POINT, to: senderCreator, input: '0x570e1a36', output: word(born) }),
        frame('call', { depth: 3, from: senderCreator, to: factory }),
        creates(4, factory, born),
        creates(4, factory, made(1)),
        // Its execution, and that of a second account.
        frame('call', { depth: 2, from: ENTRY_POINT, to: ENTRY_POINT }),
        frame('call', { depth: 3, from: ENTRY_POINT, to: born.toUpperCase().replace('0X', '0x') }),
        frame('call', { depth: 4, from: born, to: factory }),
        creates(5, factory, made(2)),
        frame('call', { depth: 2, from: ENTRY_POINT, to: other }),
        creates(3, other, made(3)),
        // What the bundler has its own contract do beside them.
        creates(1, bundle, made(4)),
      ]
    })
    expect(rows.creations.map(({ contract, creator, root_creator }) => [contract, creator, root_creator])).toEqual([
      [born, factory, ''],
      [made(1), factory, born],
      [made(2), factory, born],
      [made(3), other, other],
      [made(4), bundle, SENDER],
    ])
  })
})
