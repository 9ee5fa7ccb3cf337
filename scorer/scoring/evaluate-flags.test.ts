import { expect, test } from 'vitest'
import type { Network } from '../../schema/networks.ts'
import type { Evidence } from '../detection/index.ts'
import { ALL_READ } from '../ledger/authorities/coverage.ts'
import { emptyWallet } from '../ledger/features/wallet.ts'
import type { Label, Listing } from '../ledger/labels/known.ts'
import { evaluateFlags } from './evaluate-flags.ts'
import { DEFAULT_POLICY, FLAGS, type FlagPolicy } from './flags.ts'
import type { Wallet } from './wallet.ts'

const ADDRESS = '0x00000000000000000000000000000000000000aa'
const wallet = (evidence: Evidence, over: Partial<Wallet> = {}): Wallet => ({
  network: 'ETH',
  address: ADDRESS,
  features: emptyWallet(ADDRESS),
  contacts: [],
  known: { listings: [], labels: [] },
  logs: ALL_READ,
  service: false,
  evidence,
  ...over,
})
const raisedBy = (one: Wallet, policy: FlagPolicy = DEFAULT_POLICY) =>
  Object.fromEntries(
    evaluateFlags(one, policy).raised.map(({ field, by }) => [field, by.map(({ detector }) => detector)]),
  )
const unknownsOf = (one: Wallet) => evaluateFlags(one, DEFAULT_POLICY).unknowns

const drains = (victims: number): Evidence['approval-drain'] =>
  Array.from({ length: victims }, (_, n) => ({
    kind: 'fungible' as const,
    spender: '0xtool',
    victim: `0xv${n}`,
    asset: '0xusd',
    amount: '1',
    taker: ADDRESS,
    initiator: ADDRESS,
    tx_hash: `0x${n}`,
    granted_in: '0xg',
    time: n,
  }))
const counterfeit = {
  contract: '0xfake',
  symbol: 'USDC',
  name: 'USD Coin',
  original: '0xusd',
  originalSymbol: 'USDC',
  unasked: 60,
  pools: [],
  transactions: ['0x1'],
}
const labelled = { contract: '0xtrap', label: 'honeypot', detector: 'trade-simulation', confidence: 0.97, tx_hash: '' }
const freeze: Listing = {
  network: 'ETH',
  list: 'freeze',
  authority: '0xissuer',
  listed: 1,
  changed_at: 1,
  changed_in: '0x1',
  listed_at: 1,
  listed_in: '0x1',
  seized: 0,
}
const label = (over: Partial<Label>): Label => ({
  network: 'ETH',
  label: 'theft',
  detector: 'list',
  class: 'reported',
  confidence: 0.95,
  detector_version: '1',
  evidence: '',
  tx_hash: '',
  block_number: 0,
  ...over,
})

test('findings raise a flag from its confidence on; suspicions do not', () => {
  expect(raisedBy(wallet({ 'approval-drain': drains(3)! }))).toEqual({
    cybercrime: ['approval-drain'],
    phishing_activities: ['approval-drain'],
    stealing_attack: ['approval-drain'],
    number_of_malicious_contracts_created: ['approval-drain'],
  })
  expect(raisedBy(wallet({ 'approval-drain': drains(2)! }))).toEqual({})
})

test('one kind of attack raises no cybercrime flag unless the table names its grade', () => {
  const share = (role: 'operator' | 'affiliate') =>
    wallet({
      'drainer-split': [
        { role, operators: [], affiliates: [], splits: [], strangers: ['0xa', '0xb', '0xc'], operatorsProven: true },
      ],
    })
  expect(raisedBy(share('affiliate'))).toEqual({ phishing_activities: ['drainer-split'] })
  expect(raisedBy(share('operator'))).toEqual({ cybercrime: ['drainer-split'], phishing_activities: ['drainer-split'] })
})

test('for services, some detectors give nothing, others unknown, and authorities count', () => {
  const service = { service: true }
  const drained = wallet({ 'approval-drain': drains(3)! }, service)
  expect(raisedBy(drained)).toEqual({})
  expect(unknownsOf(drained).join()).not.toContain('approval-drain')
  const made = wallet({ 'counterfeit-token': [counterfeit], labelledContracts: [labelled] }, service)
  expect(raisedBy(made)).toEqual({})
  expect(unknownsOf(made)).toEqual(
    expect.arrayContaining([
      'fake_token: counterfeit-token found it, but only authorities can flag public infrastructure',
      'honeypot_related_address: trade-simulation found it, but only authorities can flag public infrastructure',
    ]),
  )
  const frozen = wallet({}, { ...service, known: { listings: [freeze], labels: [] } })
  expect(raisedBy(frozen)).toEqual({ blacklist_doubt: ['issuer-freeze'] })
})

test('a list counts against infrastructure by numbers alone, a detector does not', () => {
  const popular = (labels: Label[]) => wallet({}, { service: true, popular: true, known: { listings: [], labels } })
  expect(raisedBy(popular([label({})]))).toEqual({ stealing_attack: ['list'] })
  expect(raisedBy(popular([label({ class: 'detected' })]))).toEqual({})
  expect(raisedBy(wallet({}, { service: true, known: { listings: [], labels: [label({})] } }))).toEqual({})
})

test('labels below the confidence raise nothing', () => {
  expect(raisedBy(wallet({}, { known: { listings: [], labels: [label({ confidence: 0.89 })] } }))).toEqual({})
})

test('the policy decides whether one use of a mixer counts', () => {
  const move = { pool: '0xp', event: 'mixer_deposit' as const, own: true, tx_hash: '0x1', time: 1 }
  const mixing = { moves: [move], own: 1, share: 0.9, mixed: [], before: false }
  const one = wallet({ 'mixer-habit': mixing, 'mixer-interaction': mixing })
  expect(raisedBy(one)).toEqual({})
  expect(raisedBy(one, { mixer: 'interaction' })).toEqual({ mixer: ['mixer-interaction'] })
})

test('counts a contract once for all its proofs, and never counts the wallet itself', () => {
  const found = [counterfeit, { ...counterfeit, contract: ADDRESS }]
  const forged = { contract: '0xfake', owners: 5, named: [], transactions: [] }
  const { details, raised } = evaluateFlags(
    wallet({ labelledContracts: [labelled], 'counterfeit-token': found, 'forged-events': [forged] }),
    DEFAULT_POLICY,
  )
  expect(details.number_of_malicious_contracts_created).toBe('2')
  expect(raised.at(-1)!.by.map(({ detector }) => detector)).toEqual(['counterfeit-token', 'trade-simulation'])
})

test('a flag without a detector that covers the network is unknown, and so is a partly evaluated one', () => {
  const on = (network: Network) => unknownsOf(wallet({}, { network }))
  expect(on('SOLANA')).toEqual(
    Object.entries(FLAGS).map(([name, { sources, partial }]) =>
      sources.some(({ detector }) => detector === 'darknet-payment') || sources.length === 0
        ? `${name}: ${partial}`
        : `${name}: no data source on SOLANA`,
    ),
  )
  expect(on('ETH').map((text) => text.split(':')[0])).toEqual(
    Object.entries(FLAGS).flatMap(([name, { partial }]) => (partial === undefined ? [] : [name])),
  )
})
