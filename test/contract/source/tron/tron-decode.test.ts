/** What TRON's transactions become in the tables; each trap of its nodes' answers is a case. */
import { beforeAll, expect, test } from 'vitest'
import { decodeTronBlock } from '../../../../indexer/source/tron/decode/index.ts'
import { rawTronBlock, rawTronInfos } from '../../../../indexer/source/tron/raw.ts'
import { parseExact } from '../../../../platform/rpc/json.ts'
import { tronFromEvm } from '../../../../schema/address/index.ts'
import { type Block, LOG_EVENT_BASE, positionOf } from '../../../../schema/block.ts'
import { createTronChain } from '../../../kit/chain/tron/chain.ts'
import { printTron } from '../../../kit/chain/tron/node.ts'
import * as make from '../../../kit/chain/tron/transactions.ts'
import { named } from '../../../kit/world/transactions.ts'

const who = (name: string) => tronFromEvm(named(name))
const [ann, bob, eve, vault, mint, made] = ['ann', 'bob', 'eve', 'vault', 'mint', 'made'].map(who) as [
  string,
  string,
  string,
  string,
  string,
  string,
]
const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const NOBODY = tronFromEvm(`0x${'0'.repeat(40)}`)
/** More than a JavaScript number holds. */
const LARGE = 9_007_199_254_740_993n

const decode = (txs: readonly make.TronTx[], showsInternal = true): Block => {
  const chain = createTronChain()
  chain.mine(txs)
  const { block, infos } = parseExact(printTron(chain.at(1))) as { block: unknown; infos: unknown }
  return decodeTronBlock('TRON', { block: rawTronBlock.parse(block), infos: rawTronInfos.parse(infos), showsInternal })
}
/** Movements as their senders see them. */
const sent = (block: Block) =>
  block.rows.ledger
    .filter(({ direction }) => direction === -1)
    .map(({ kind, address, counterparty, asset, token_id, amount, initiator }) => ({
      kind,
      from: address,
      to: counterparty,
      asset,
      token_id,
      amount,
      initiator,
    }))
const movement = (kind: string, from: string, to: string, asset: string, amount: bigint, initiator = from) => ({
  kind,
  from,
  to,
  asset,
  token_id: '0',
  amount: String(amount),
  initiator,
})

test('TRX and TRC10: exact amounts, also beyond the integers of JavaScript', () => {
  const block = decode([make.sendTrx(ann, bob, LARGE), make.sendTrc10(ann, bob, '1004935', LARGE)])
  expect(sent(block)).toEqual([
    movement('native', ann, bob, '', LARGE),
    movement('fungible', ann, bob, '1004935', LARGE),
  ])
  expect(block.rows.transactions).toMatchObject([
    { sender: ann, receiver: bob, value: String(LARGE), type: 1, status: 1, nonce: '0', selector: '' },
    { sender: ann, receiver: bob, value: '0', type: 2 },
  ])
  expect(block.rows.transactions.every(({ tx_hash }) => /^[0-9a-f]{64}$/.test(tx_hash))).toBe(true)
})

test('reads TRC20, TRC721 and approvals from logs, whose addresses lack the first byte', () => {
  const call = make.trigger(eve, vault, {
    data: '23b872dd00',
    value: 7n,
    logs: [
      make.transferLog(USDT, ann, bob, 0n),
      make.nftLog(mint, ann, bob, 42n),
      make.approvalLog(USDT, ann, eve, 5n),
      make.transferLog(USDT, NOBODY, bob, 9n),
    ],
  })
  const block = decode([make.sendTrx(ann, bob, 1n), call])
  expect(sent(block).slice(1)).toEqual([
    movement('native', eve, vault, '', 7n),
    movement('fungible', ann, bob, USDT, 0n, eve),
    { ...movement('nft', ann, bob, mint, 1n, eve), token_id: '42' },
    movement('fungible', '', bob, USDT, 9n, eve),
  ])
  expect(block.rows.approvals).toMatchObject([{ owner: ann, spender: eve, asset: USDT, amount: '5', initiator: eve }])
  expect(block.rows.transactions[1]).toMatchObject({
    selector: '0x23b872dd',
    input_size: 5,
    gas_used: '29650',
    fee: '2965000',
  })
  expect(block.rows.ledger.filter(({ kind }) => kind === 'nft').map(({ position }) => position)).toEqual([
    positionOf(1, 1, LOG_EVENT_BASE + 1),
    positionOf(1, 1, LOG_EVENT_BASE + 1),
  ])
})

test('internal transactions move the value of calls, creations and self-destructs; staking and rejected ones move nothing', () => {
  const internal = [
    { from: vault, to: bob, value: 3n },
    { from: vault, to: bob, value: 4n, token: '1004935' },
    { from: vault, to: bob, value: 0n },
    { from: vault, to: eve, value: 100n, rejected: true },
    { from: vault, to: eve, value: 200n, note: 'delegateResourceOfEnergy' },
    { from: vault, to: eve, value: 300n, note: 'freezeBalanceV2ForEnergy' },
    { from: vault, to: made, value: 5n, note: 'create' },
    { from: made, to: ann, value: 6n, note: 'suicide' },
  ]
  const block = decode([make.trigger(ann, vault, { internal })])
  expect(sent(block)).toEqual([
    movement('internal', vault, bob, '', 3n, ann),
    movement('fungible', vault, bob, '1004935', 4n, ann),
    movement('internal', vault, made, '', 5n, ann),
    movement('internal', made, ann, '', 6n, ann),
  ])
  expect(block.rows.creations).toMatchObject([
    { contract: made, event: 'create', creator: vault, root_creator: ann },
    { contract: made, event: 'destroy', creator: ann, root_creator: ann },
  ])
  const positions = [
    ...block.rows.ledger.map((row) => row.position),
    ...block.rows.creations.map((row) => row.position),
  ]
  expect(new Set(positions).size).toBe(6)
})

test('data that a node does not keep is unknown; only blocks without contract calls are complete without it', () => {
  const seen = (txs: make.TronTx[], shows: boolean) => decode(txs, shows).rows.blocks[0]?.sees_traces
  expect(seen([make.trigger(ann, vault)], true)).toBe(1)
  expect(seen([make.trigger(ann, vault)], false)).toBe(0)
  expect(seen([make.sendTrx(ann, bob, 1n)], false)).toBe(1)
  expect(seen([], false)).toBe(1)
})

test.each(['REVERT', 'OUT_OF_ENERGY', 'OUT_OF_TIME', 'TRANSFER_FAILED'])(
  'a transaction that ended in %s paid its fee and did nothing else, despite any logs',
  (result) => {
    const logs = [make.transferLog(USDT, ann, bob, 5n)]
    const internal = [{ from: vault, to: bob, value: 3n }]
    const block = decode([
      make.trigger(ann, vault, { value: 9n, result, logs, internal }),
      make.deploy(ann, made, { result }),
    ])
    expect(block.rows.ledger).toEqual([])
    expect(block.rows.creations).toEqual([])
    expect(block.rows.transactions).toMatchObject([{ status: 0, fee: '2965000' }, { status: 0 }])
  },
)

test('a contract belongs to its deployer', () => {
  const { rows } = decode([make.deploy(ann, made)])
  expect(rows.creations).toMatchObject([
    { contract: made, event: 'create', creator: ann, root_creator: ann, code_hash: '' },
  ])
  expect(rows.transactions).toMatchObject([{ receiver: '', selector: '', type: 30 }])
})

test('events of the issuer of USDT are authority rows; the same events of other contracts are ignored', () => {
  const listed = (token: string) => make.trigger(eve, token, { logs: [make.blacklistLog(token, bob)] })
  const { rows } = decode([listed(mint), listed(USDT)])
  expect(rows.authority).toMatchObject([
    {
      authority: USDT,
      event: 'freeze',
      subject: bob,
      actor: eve,
      detail: 'USDT',
      position: positionOf(1, 1, LOG_EVENT_BASE),
    },
  ])
})

test('reads account permissions after an update', () => {
  const { rows } = decode([make.updatePermissions(ann, [eve, bob], [eve])])
  expect(rows.authority).toMatchObject([
    { authority: ann, event: 'owner_change', subject: eve, actor: ann, detail: 'owner 1/2' },
    { authority: ann, event: 'owner_change', subject: bob, actor: ann, detail: 'owner 1/2' },
    { authority: ann, event: 'role_grant', subject: eve, actor: ann, detail: 'active 1/1' },
  ])
  expect(rows.transactions).toMatchObject([{ sender: ann, receiver: ann, type: 46, fee: '100000000' }])
})

test('delegated energy and staked coins are transactions that move nothing', () => {
  const { rows } = decode([make.delegateEnergy(ann, bob, 5_000_000n), make.freeze(ann, 9n)])
  expect(rows.ledger).toEqual([])
  expect(rows.transactions).toMatchObject([
    { sender: ann, receiver: bob, value: '0', type: 57 },
    { sender: ann, receiver: ann, value: '0', type: 54 },
  ])
})

test('an unknown contract type has a sender and does not stop the stream', () => {
  const unknown: make.TronTx = { ...make.freeze(ann, 9n), kind: ['TomorrowContract', 99] }
  expect(decode([unknown]).rows.transactions).toMatchObject([{ sender: ann, type: 99, status: 1 }])
})

test('keeps memos that are text, and drops other bytes', () => {
  const memo = 'Pay 500 USDT to TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t or else'
  const { rows } = decode([make.sendTrx(ann, bob, 1n, { memo }), make.sendTrx(ann, bob, 1n, { memo: 'hi' })])
  expect(rows.transactions.map(({ message }) => message)).toEqual([memo, ''])
})

let block: Block
beforeAll(() => {
  block = decode([
    make.sendTrx(ann, bob, 5n),
    make.deploy(ann, made),
    make.trigger(eve, USDT, {
      logs: [make.blacklistLog(USDT, bob), make.transferLog(USDT, ann, bob, 1n), make.approvalLog(USDT, ann, eve, 1n)],
      internal: [{ from: vault, to: bob, value: 3n }],
    }),
    make.updatePermissions(ann, [eve], [bob]),
  ])
})

test('no row holds an address in hex', () => {
  expect(JSON.stringify(block.rows)).not.toMatch(/0x[0-9a-f]{40}\b|"41[0-9a-f]{40}"/)
})
