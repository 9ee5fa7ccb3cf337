/** Blocks with a few rows, of few recurring wallets and some that occur once. */
import type { Random } from '../../../deploy/demo/scenario/random.ts'
import { type Block, emptyRows, LOG_EVENT_BASE, positionOf } from '../../../schema/block.ts'
import type { Network } from '../../../schema/networks.ts'

const GENESIS_TIME = 1_767_225_600
const WALLETS = 8

/** A block on `parentHash`; `branch` makes blocks of one height differ. */
export const makeBlock = (
  network: Network,
  number: number,
  parentHash: string,
  branch: string,
  random: Random,
): Block => {
  const hash = `${network}-${number}-${branch}`
  const time = GENESIS_TIME + number * 2
  const rows = emptyRows()
  const row = { network, block_number: number, block_time: time }
  const count = random.below(3)
  for (let index = 0; index < count; index += 1) {
    const wallet = () => (random.below(6) === 0 ? `once-${hash}-${index}` : `wallet-${random.below(WALLETS)}`)
    const sender = wallet()
    const receiver = wallet()
    const token = `token-${random.below(3)}`
    const amount = String(1_000 + random.below(1_000_000))
    const tx_hash = `tx-${hash}-${index}`
    const at = (event: number) => ({ ...row, position: positionOf(number, index, event), tx_hash })
    rows.transactions.push({
      ...at(0),
      sender,
      receiver,
      value: amount,
      fee: '21',
      nonce: String(index),
      type: 2,
      status: 1,
      gas_used: '21000',
      selector: '0xa9059cbb',
      input_size: 68,
      message: '',
      deeds: index % 2 === 0 ? 'swap' : '',
    })
    const movement = { kind: 'fungible' as const, asset: token, token_id: '0', amount, initiator: sender }
    rows.ledger.push({ ...at(LOG_EVENT_BASE), ...movement, address: sender, counterparty: receiver, direction: -1 })
    rows.ledger.push({ ...at(LOG_EVENT_BASE), ...movement, address: receiver, counterparty: sender, direction: 1 })
    const kind = random.below(12)
    const log = at(LOG_EVENT_BASE + 1)
    const pool = `pool-${random.below(2)}`
    if (kind === 0)
      rows.approvals.push({
        ...log,
        owner: sender,
        spender: receiver,
        asset: token,
        kind: 'fungible',
        amount,
        initiator: sender,
      })
    if (kind === 1)
      rows.creations.push({
        ...at(1),
        contract: `contract-${hash}-${index}`,
        event: 'create',
        creator: sender,
        root_creator: sender,
        code_hash: '',
        code_size: 5,
      })
    if (kind === 2)
      rows.liquidity.push({
        ...log,
        pool,
        event: 'add',
        provider: sender,
        owner: sender,
        amount0: amount,
        amount1: amount,
        liquidity: '5',
      })
    if (kind === 3)
      rows.swaps.push({
        ...log,
        pool,
        initiator: sender,
        sender,
        recipient: sender,
        amount0: '-7',
        amount1: amount,
        factory: 'program',
        token0: '',
        token1: token,
      })
    if (kind === 4) rows.delegations.push({ ...at(2), authority: sender, delegate: receiver, initiator: sender })
    if (kind === 5) rows.tokens.push({ ...log, token, standard: 'erc20', name: 'T', symbol: 'T', decimals: 18 })
    if (kind === 6)
      rows.authority.push({
        ...log,
        authority: token,
        event: 'freeze',
        subject: receiver,
        actor: sender,
        amount: '0',
        detail: '',
      })
    if (kind === 7)
      rows.pools.push({
        ...log,
        pool: `${pool}-${number}`,
        factory: token,
        kind: 'v2',
        token0: token,
        token1: '',
        fee: 3000,
        hooks: '',
      })
  }
  rows.blocks.push({
    ...row,
    block_hash: hash,
    parent_hash: parentHash,
    transaction_count: count,
    sees_traces: 1,
  })
  return { network, number, hash, parentHash, time, rows }
}
