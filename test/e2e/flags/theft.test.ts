/** Thieves on a real chain: who takes what is not theirs is flagged, and whoever does nearly the same for its owners is not. */
import { type Address, encodeAbiParameters, parseSignature } from 'viem'
import { expect, test } from 'vitest'
import { creationCode } from '../../../deploy/demo/contracts/contracts.ts'
import { PERMIT2 } from '../../../schema/registry/contracts.ts'
import { compiled, flagScenario, transactionsIn } from '../../kit/scenario/flag-scenario.ts'
import { APPROVE, approve, settleResidents, TRANSFER, TRANSFER_FROM, USDC } from '../../kit/scenario/residents.ts'
import {
  accountOf,
  BEGINNING,
  calldata,
  createScenario,
  crowd,
  DOLLAR,
  ETHER,
  UNLIMITED,
  who,
} from '../../kit/scenario/scenario.ts'

const code = compiled(new URL('./theft.sol', import.meta.url))
const scenario = createScenario()
const { at } = scenario
const FOREVER = BigInt(BEGINNING) * 2n
const lives = settleResidents(scenario)

const encodeAddress = (address: Address) => encodeAbiParameters([{ type: 'address' }], [address])

const THEFT = { cybercrime: '1', phishing_activities: '1', stealing_attack: '1', data_source: 'approval-drain' }
const drained = (transactions: { grants: { hash: string }[]; takes: { hash: string }[] }) => ({
  victims: transactions.takes.length,
  drains: transactions.takes.map(({ hash }, index) =>
    expect.objectContaining({ transaction: hash, approvedIn: transactions.grants[index]?.hash }),
  ),
})
type Drains = { grants: { hash: string }[]; takes: { hash: string }[] }
const newDrains = (): Drains => ({ grants: [], takes: [] })

// Approvals: to a thief's own account, and to a contract that only its maker commands.
const byHand = newDrains()
const byContract = newDrains()
let grab: Address
lives([...crowd('v', 3), ...crowd('w', 3)])
at(10, (actions) => {
  byHand.grants = approve(actions, crowd('v', 3), 'thief')
  grab = actions.deploy('crook', code('Grab'))
  byContract.grants = approve(actions, crowd('w', 3), grab)
})
at(11, ({ call }) => {
  byHand.takes = crowd('v', 3).map((v) => call('thief', USDC, TRANSFER_FROM, [who(v), who('thief'), 1_000n * DOLLAR]))
  byContract.takes = crowd('w', 3).map((w) => call('crook', grab, 'take(address,address)', [USDC, who(w)]))
})

// A subscription takes a part; a settlement gives something back; payroll and an airdrop give.
let subscription: Address
let settlement: Address
let pebble: Address
lives([...crowd('s', 4), ...crowd('t', 3)])
at(3, ({ deploy, call }) => {
  pebble = deploy('pebble-team', creationCode('Token', 'Gravel', 'GRVL', 1_000_000n * ETHER))
  call('pebble-team', pebble, TRANSFER, [who('maker'), 10_000n * ETHER])
  call('exchange', USDC, TRANSFER, [who('payroll'), 100_000n * DOLLAR])
})
at(10, (actions) => {
  subscription = actions.deploy('biller', code('Subscription'))
  settlement = actions.deploy('solver', code('Settlement'))
  approve(actions, crowd('s', 4), subscription)
  approve(actions, crowd('t', 3), settlement, USDC, 1_000n * DOLLAR)
  approve(actions, ['maker'], settlement, pebble)
  for (const name of crowd('employee', 12)) actions.call('payroll', USDC, TRANSFER, [who(name), 3_000n * DOLLAR])
  for (const name of crowd('lucky', 60)) actions.call('pebble-team', pebble, TRANSFER, [who(name), ETHER])
})
at(11, ({ call }) => {
  for (const s of crowd('s', 4))
    call('biller', subscription, 'bill(address,address,uint256)', [USDC, who(s), 20n * DOLLAR])
  for (const t of crowd('t', 3)) {
    const order = [USDC, who(t), 1_000n * DOLLAR, pebble, who('maker'), 990n * ETHER]
    call('solver', settlement, 'settle(address,address,uint256,address,address,uint256)', order)
  }
})

test('drained approvals flag the spender, or the contract and its creator', () => {
  const evidence = outcome.confirmed('thief', THEFT)
  expect(evidence.phishing_activities).toMatchObject({ spenders: [who('thief')], ...drained(byHand) })
  const crook = outcome.confirmed('crook', { ...THEFT, number_of_malicious_contracts_created: '1' })
  expect(crook.stealing_attack).toMatchObject({ spenders: [grab], ...drained(byContract) })
  outcome.confirmed(grab, THEFT)
})

test('subscriptions, settlements, payrolls, airdrops and victims are not flagged', () => {
  outcome.clear('biller', subscription, 'solver', settlement, 'maker', 'payroll', 'pebble-team', 'exchange')
  outcome.clear(...crowd('v', 3), ...crowd('w', 3), ...crowd('s', 4), ...crowd('t', 3), 'employee0', 'lucky0')
})

// Signatures: EIP-2612 and Permit2, stolen and lent.
const TOKENS = 500n * ETHER
const EIP2612 = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const
const PERMIT_SINGLE = {
  PermitDetails: [
    { name: 'token', type: 'address' },
    { name: 'amount', type: 'uint160' },
    { name: 'expiration', type: 'uint48' },
    { name: 'nonce', type: 'uint48' },
  ],
  PermitSingle: [
    { name: 'details', type: 'PermitDetails' },
    { name: 'spender', type: 'address' },
    { name: 'sigDeadline', type: 'uint256' },
  ],
} as const
const byPermit = newDrains()
const byPermit2 = newDrains()
let permitted: Address
let relay: Address
const permit = async (owner: string, spender: Address, value: bigint, deadline: bigint) => {
  const domain = { name: 'Pebble', version: '1', chainId: 1, verifyingContract: permitted }
  const message = { owner: who(owner), spender, value, nonce: 0n, deadline }
  const signed = await accountOf(owner).signTypedData({ domain, types: EIP2612, primaryType: 'Permit', message })
  const { r, s, yParity } = parseSignature(signed)
  return [yParity + 27, r, s] as const
}
lives([...crowd('p', 3), ...crowd('c', 4), ...crowd('q', 3)])
at(3, ({ deploy, call }) => {
  const supply = encodeAbiParameters([{ type: 'uint256' }], [1_000_000n * ETHER])
  permitted = deploy('permit-team', `${code('PermitToken')}${supply.slice(2)}`)
  for (const name of [...crowd('p', 3), ...crowd('c', 4)]) call('permit-team', permitted, TRANSFER, [who(name), TOKENS])
  relay = deploy('relayer', code('PaymentRelay'))
})
at(3.5, (actions) => {
  approve(actions, crowd('q', 3), PERMIT2)
  // An honest token has owners who approve it themselves, to trade it.
  approve(actions, crowd('q', 3), 'market', permitted)
})
at(10, async ({ call }) => {
  for (const transactions of [byPermit, byPermit2]) Object.assign(transactions, newDrains())
  for (const p of crowd('p', 3)) {
    const signature = await permit(p, who('permit-thief'), TOKENS, FOREVER)
    const args = [who(p), who('permit-thief'), TOKENS, FOREVER, ...signature]
    const name = 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)'
    byPermit.grants.push(call('permit-thief', permitted, name, args))
    byPermit.takes.push(call('permit-thief', permitted, TRANSFER_FROM, [who(p), who('permit-thief'), TOKENS]))
  }
  for (const [index, c] of crowd('c', 4).entries()) {
    const signature = await permit(c, relay, TOKENS, UNLIMITED)
    const args = [permitted, who(c), who(`payee${index}`), (TOKENS * 98n) / 100n, TOKENS / 50n, signature]
    call('relayer', relay, 'carry(address,address,address,uint256,uint256,(uint8,bytes32,bytes32))', args)
  }
  for (const q of crowd('q', 3)) {
    const details = { token: USDC, amount: 1_000n * DOLLAR, expiration: Number(FOREVER), nonce: 0 }
    const message = { details, spender: who('permit2-thief'), sigDeadline: FOREVER }
    const domain = { name: 'Permit2', chainId: 1, verifyingContract: who(PERMIT2) }
    const types = { types: PERMIT_SINGLE, primaryType: 'PermitSingle' } as const
    const signed = await accountOf(q).signTypedData({ domain, ...types, message })
    const name = 'permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)'
    const single = [[USDC, details.amount, details.expiration, 0], message.spender, FOREVER]
    byPermit2.grants.push(call('permit2-thief', PERMIT2, name, [who(q), single, signed]))
    const take = [who(q), who('permit2-thief'), 1_000n * DOLLAR, USDC]
    byPermit2.takes.push(call('permit2-thief', PERMIT2, 'transferFrom(address,address,uint160,address)', take))
  }
})

test('phished permits (EIP-2612) and Permit2 signatures flag the account that uses them', () => {
  expect(outcome.confirmed('permit-thief', THEFT).stealing_attack).toMatchObject(drained(byPermit))
  expect(outcome.confirmed('permit2-thief', THEFT).stealing_attack).toMatchObject(drained(byPermit2))
})

test('paid relayers of permits, signers of permits, Permit2 and payees stay clear', () => {
  outcome.clear('relayer', relay, 'permit-team', PERMIT2, ...crowd('payee', 4))
  outcome.clear(...crowd('p', 3), ...crowd('q', 3), ...crowd('c', 4))
})

// Approvals that neither their owners nor signatures brought: of smart accounts, by a bundler or by a member; and of nobody.
const byBundle = newDrains()
const byMember = newDrains()
const accounts: Address[] = []
let entry: Address
let trap: Address
lives(crowd('f', 4))
at(4, ({ deploy, call }) => {
  entry = deploy('bundler', code('Entry'))
  trap = deploy('forger', code('Trap'))
  accounts.splice(0)
  for (const member of crowd('m', 6)) {
    const account = deploy(
      member,
      `${code('Account')}${encodeAddress(who(member)).slice(2)}${encodeAddress(entry).slice(2)}`,
    )
    accounts.push(account)
    call('permit-team', permitted, TRANSFER, [account, TOKENS])
    call('pebble-team', pebble, TRANSFER, [account, TOKENS])
  }
})
at(10, ({ call }) => {
  const trust = (thief: string) => calldata(APPROVE, [who(thief), UNLIMITED])
  const bundled = accounts.slice(0, 3)
  const grant = call('bundler', entry, 'handle(address[],address,bytes)', [bundled, permitted, trust('bundle-thief')])
  byBundle.grants = bundled.map(() => grant)
  byMember.grants = accounts
    .slice(3)
    .map((account, n) => call(`m${n + 3}`, account, 'execute(address,bytes)', [pebble, trust('member-thief')]))
  call('forger', trap, 'tell(address[],address)', [crowd('f', 4).map(who), who('lured')])
})
at(11, ({ call }) => {
  byBundle.takes = accounts
    .slice(0, 3)
    .map((a) => call('bundle-thief', permitted, TRANSFER_FROM, [a, who('haul'), TOKENS]))
  byMember.takes = accounts.slice(3).map((a) => call('member-thief', pebble, TRANSFER_FROM, [a, who('haul'), TOKENS]))
  call('lured', trap, 'claim()')
})

test('approvals of smart accounts count, submitted by a bundler or a member', () => {
  expect(outcome.confirmed('bundle-thief', THEFT).stealing_attack).toMatchObject(drained(byBundle))
  expect(outcome.confirmed('member-thief', THEFT).stealing_attack).toMatchObject(drained(byMember))
  outcome.clear('bundler', 'haul', ...crowd('m', 6), ...accounts)
})

test('approvals and transfers that only a token reports flag nobody', () => {
  outcome.clear('lured', 'forger', trap, ...crowd('f', 4))
  expect(outcome.of('lured')?.reasons.map(({ code }) => code)).not.toContain('DRAIN_VICTIMS')
  expect(outcome.of('lured')?.reasons.map(({ code }) => code)).not.toContain('ACCOUNT_APPROVERS')
})

// NFTs, moved by whom their owners trusted with the collection.
let art: Address
let gallery: Address
let painters: Drains
lives([...crowd('n', 3), ...crowd('g', 3), ...crowd('r', 4)])
at(3, ({ deploy, call }) => {
  art = deploy('artist', code('Collection'))
  gallery = deploy('dealer', code('Gallery'))
  const owners = [...crowd('n', 3), ...crowd('g', 3), ...crowd('r', 4)]
  for (const [id, owner] of owners.entries()) call('artist', art, 'mint(address,uint256)', [who(owner), id])
})
at(10, ({ call }) => {
  const trust = (owner: string, operator: string) =>
    call(owner, art, 'setApprovalForAll(address,bool)', [who(operator), true])
  painters = { ...newDrains(), grants: crowd('n', 3).map((n) => trust(n, 'nft-thief')) }
  for (const g of crowd('g', 3)) trust(g, gallery)
  for (const r of crowd('r', 4)) trust(r, 'raffler')
})
at(11, ({ call }) => {
  painters.takes = crowd('n', 3).map((n, id) => call('nft-thief', art, TRANSFER_FROM, [who(n), who('nft-thief'), id]))
  for (const [index, g] of crowd('g', 3).entries())
    call('collector', gallery, 'buy(address,address,uint256)', [art, who(g), 3 + index], { value: ETHER })
  for (const [index, r] of crowd('r', 4).entries())
    call('raffler', art, TRANSFER_FROM, [who(r), who(`winner${index}`), 6 + index])
})

test('NFTs taken for nothing flag the taker; a gallery that pays and a raffle are not flagged', () => {
  const evidence = outcome.confirmed('nft-thief', { ...THEFT, data_source: 'nft-drain' })
  expect(evidence.phishing_activities).toMatchObject(drained(painters))
  outcome.clear(
    'artist',
    'dealer',
    gallery,
    'collector',
    'raffler',
    ...crowd('n', 3),
    ...crowd('g', 3),
    ...crowd('r', 4),
  )
})

// Drainers as a service: an operator's contract, two affiliates who bring victims.
let tool: Address
let shared: Drains
const customers = crowd('x', 6)
const donors = crowd('d', 4)
lives([...customers, ...donors])
at(10, (actions) => {
  tool = actions.deploy('runner', `${code('SharedDrainer')}${encodeAddress(who('operator')).slice(2)}`)
  shared = { ...newDrains(), grants: approve(actions, customers, tool) }
})
at(11, ({ call, deploy, pay }) => {
  shared.takes = customers.map((x, index) =>
    call('runner', tool, 'drain(address,address,address)', [USDC, who(x), who(`affiliate${index % 2}`)]),
  )
  // A splitter of donations shares in the same ratio, of what donors send it themselves.
  const splitter = deploy('charity', `${code('Splitter')}${encodeAddress(who('cause')).slice(2)}`)
  for (const d of donors) pay(d, splitter, ETHER)
})

test('operator and affiliates of a drainer are flagged by their split; a splitter of donations is not', () => {
  const operator = outcome.confirmed('operator', {
    cybercrime: '1',
    phishing_activities: '1',
    data_source: 'drainer-split',
  })
  expect(operator.cybercrime).toMatchObject({
    role: 'operator',
    victims: 6,
    affiliates: crowd('affiliate', 2).map(who).sort(),
  })
  expect(transactionsIn(operator.cybercrime).sort()).toEqual(shared.takes.map(({ hash }) => hash).sort())
  outcome.confirmed(tool, THEFT)
  const runner = outcome.confirmed('runner', { ...THEFT, number_of_malicious_contracts_created: '1' })
  expect(runner.stealing_attack).toMatchObject({ spenders: [tool] })
  for (const affiliate of crowd('affiliate', 2)) {
    const evidence = outcome.confirmed(affiliate, { phishing_activities: '1', data_source: 'drainer-split' })
    expect(evidence.phishing_activities).toMatchObject({ role: 'affiliate', operators: [who('operator')], victims: 3 })
  }
  outcome.clear('charity', 'cause', ...customers, ...donors)
})

const outcome = flagScenario(scenario, async ({ place }) => {
  await place(who(PERMIT2), code('PermitTwo'))
})

test('flags nobody else, agrees in hot and final rows, and leaves nothing after a reorg', () => {
  const ring = [tool, 'runner', 'operator', 'affiliate0', 'affiliate1']
  const byOthers = ['permit-thief', 'permit2-thief', 'bundle-thief', 'member-thief']
  outcome.onlyAccused('thief', 'crook', grab, 'nft-thief', ...byOthers, ...ring)
  outcome.sameWhileHot()
  outcome.clearWhileUndone()
})
