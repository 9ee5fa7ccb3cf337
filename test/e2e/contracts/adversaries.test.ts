import { readFileSync } from 'node:fs'
import { toFunctionSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { contractRegistry } from '../../../scorer/contracts/subject/registry.ts'
import type { Indicators } from '../../../scorer/contracts/verdict/verdict.ts'
import { COIN, type ListedTokens, pad, startListedTokens, word } from '../../kit/contracts/tokens/listed-tokens.ts'

const ETH = contractRegistry('ETH')!
let tokens: ListedTokens

beforeAll(async () => {
  tokens = await startListedTokens(new URL('../../kit/contracts/tokens/adversary-tokens.sol', import.meta.url))
})
afterAll(() => tokens?.stop())

const analysed = async (name: string, about?: string) =>
  tokens.analyse((await tokens.list(name, ...(about === undefined ? [] : [await tokens.deploy(about)]))).token)

describe('who asks', () => {
  test.each(['MorningTea', 'GardenClub', 'SundayBakery', 'PaperBoats'])(
    '%s lets simulations sell and people not',
    async (name) => {
      const report = await analysed(name)
      expect(report?.indicators.is_honeypot).toBe(1)
      expect(report?.status).toBe('Fraud')
    },
  )

  test.each(['HandPicked', 'HandMade', 'NoContracts'])('%s refuses contracts, which is honest', async (name) => {
    const report = await analysed(name)
    expect(report?.indicators).toMatchObject({
      is_honeypot: 0,
      cannot_buy: 0,
      cannot_sell_all: 0,
      buy_tax: 0,
      sell_tax: 0,
    })
    expect(report?.status).toBe('Not Fraud')
  })

  test.each(['VillageFund', 'MorningRush'])('%s limits what people may do, and they sell', async (name) => {
    const report = await analysed(name)
    expect(report?.indicators).toMatchObject({ is_honeypot: 0, cannot_buy: 0, cannot_sell_all: 0, sell_tax: 0 })
    expect(report?.unknowns).not.toHaveProperty('is_honeypot')
    expect(report?.status).toBe('Not Fraud')
  })

  test.each(['OpeningWeek', 'TwoQueues'])(
    '%s refuses whoever buys now, and what comes later is unknown',
    async (name) => {
      const report = await analysed(name)
      expect(report?.indicators.is_honeypot).toBe(0)
      expect(report?.unknowns).toHaveProperty('is_honeypot')
      expect(report?.status).toBe('Not Fraud')
    },
  )

  test.each([
    ['MarketHours', 0],
    ['MarketNights', 1],
  ])('%s is closed now, and judged by the hours in which it is traded', async (name, trap) => {
    const report = await analysed(name)
    expect(report?.indicators).toMatchObject({ cannot_buy: 0, buy_tax: 0, is_honeypot: trap })
    expect(report?.unknowns).not.toHaveProperty('cannot_buy')
    expect(report?.status).toBe(trap ? 'Fraud' : 'Not Fraud')
  })

  test('OneTicket lets each wallet sell once for ever', async () => {
    const report = await analysed('OneTicket')
    expect(report?.indicators).toMatchObject({ is_honeypot: 1, trading_cooldown: 0 })
  })
})

describe('code that is hard to find', () => {
  const behind = async (proxy: string, goods: string) => {
    const implementation = await tokens.deploy(goods)
    const where = proxy === 'CornerStall' ? await tokens.deploy('Address', implementation) : implementation
    const token = await tokens.deploy(proxy, where)
    const { lab, maker } = tokens
    await lab.send({ from: maker, to: token, data: `${toFunctionSelector('open(address)')}${pad(maker)}` })
    return tokens.analyse((await tokens.pool(token, true)).token)
  }
  test.each(['CornerShop', 'CornerStall'])('%s finds its code in its own way, and so do we', async (proxy) => {
    expect((await behind(proxy, 'HonestGoods'))?.indicators).toMatchObject({
      is_proxy: 1,
      is_honeypot: 0,
      is_mintable: 0,
    })
    expect((await behind(proxy, 'SpoiltGoods'))?.indicators).toMatchObject({ is_proxy: 1, is_honeypot: 1 })
    expect((await behind(proxy, 'PrintedGoods'))?.indicators).toMatchObject({ is_proxy: 1, is_mintable: 1 })
  })
})

test('a token of Vyper is read like one of Solidity, however it was optimised', async () => {
  const file = new URL('../../kit/contracts/tokens/vyper-token.json', import.meta.url)
  const { creation } = z
    .object({ creation: z.record(z.string(), z.string()) })
    .parse(JSON.parse(readFileSync(file, 'utf8')))
  for (const code of Object.values(creation)) {
    const { token } = await tokens.pool(await tokens.lab.deploy(tokens.maker, code))
    const report = await tokens.analyse(token)
    expect(report?.indicators).toMatchObject({ is_mintable: 1, is_honeypot: 0, owner_address: tokens.maker })
    expect(report?.findings.mint.evidence[0]).toContain(toFunctionSelector('harvest(address,uint256)'))
  }
})

describe('powers that are hard to find', () => {
  const selector = (signature: string) => toFunctionSelector(signature)
  const twice = (first: string, then: string, later = '') =>
    `${selector(first)}, ${later}then ${selector(then)} called by`
  const thrice = (later: string) =>
    `${selector('nominate(address,uint256)')}, ${later}then ${twice('confirm()', 'award()', later)}`
  test.each([
    ['LostProperty', 'fallback called by'],
    ['SecondHand', 'fallback called by'],
    ['TipJar', 'fallback called by'],
    ['PostCard', `${selector('deliver(bytes)')} called by`],
    ['FamilyRecipe', `${selector('stir(address,uint256)')} called by`],
    ['HoneyCap', `${selector('gather(address,uint256)')} called by`],
    ['WinterStock', twice('count(uint256)', 'fill()')],
    ['BookClub', twice('join(address,bool)', 'finish(address,uint256)')],
    ['TownMeeting', twice('propose(address,uint256)', 'apply_()', 'wait, ')],
    ['HarvestFair', thrice('')],
    ['LongWinter', thrice('wait, ')],
    ['LateHarvest', `wait, then ${selector('reap(address,uint256)')} called by`],
    ['ParishVote', `, wait, then ${selector('enact()')} called by`],
  ])('%s mints', async (name, evidence) => {
    const report = await analysed(name)
    expect(report?.indicators.is_mintable).toBe(1)
    expect(report?.findings.mint.evidence.join()).toContain(evidence)
  })

  test.each([
    ...['LendingShelf', 'CoatCheck', 'ParishFund', 'Mailbox', 'HomeCooking', 'RaffleNight', 'CloakRoom'],
    ...['FairPen', 'Diary', 'NameTags', 'QuietLaunch', 'VillageShop', 'OpenDay'],
    ...['SharedHive', 'ParishPurse', 'CollectionPlate', 'LetterBox', 'PassThrough', 'SlowPost'],
    ...['PaintedSign', 'TipTray'],
  ])('%s has the same shapes, and nothing comes of them', async (name) => {
    const report = await analysed(name, name === 'LetterBox' ? 'RegisterOffice' : undefined)
    expect(report?.indicators).toMatchObject({ is_mintable: 0, owner_change_balance: 0, is_honeypot: 0 })
    expect(report?.indicators).toMatchObject({ is_blacklisted: 0, transfer_pausable: 0, slippage_modifiable: 0 })
    for (const flag of ['is_mintable', 'is_blacklisted', 'transfer_pausable', 'slippage_modifiable', 'hidden_owner'])
      expect(report?.unknowns).not.toHaveProperty(flag)
    expect(report?.status).toBe('Not Fraud')
  })

  test.each<[name: string, found: Partial<Indicators>, about?: string]>([
    ['Pantry', { owner_change_balance: 1, external_call: 1 }, 'PantryBook'],
    ['PickleJar', { is_mintable: 1, hidden_owner: 1 }],
    ['SummerRain', { is_mintable: 1 }],
    ['Envelope', { is_mintable: 1, hidden_owner: 1 }],
    ['PenFriend', { owner_change_balance: 1 }],
    ['Gossip', { transfer_pausable: 1 }],
    ['TableCard', { is_blacklisted: 1 }],
    ['ChurchGate', { is_blacklisted: 1, hidden_owner: 1 }],
    ['DoorTouch', { is_blacklisted: 1 }],
    ['TownCrier', { transfer_pausable: 1, external_call: 1 }, 'RegisterOffice'],
    ['OpenMill', { is_mintable: 1, hidden_owner: 0 }, 'MillOffice'],
    ['Attic', { is_blacklisted: 1, hidden_owner: 1, can_take_back_ownership: 0 }],
    ['SpareKey', { is_mintable: 1, hidden_owner: 1, can_take_back_ownership: 1 }],
    ['HymnBook', { is_mintable: 1 }, 'Choir'],
  ])('%s has a power behind a guard of its own, and it is found: %j', async (name, found, about) => {
    const report = await analysed(name, about)
    expect(report?.indicators).toMatchObject({ ...found, is_honeypot: 0 })
  })

  test.each<[name: string, flag: keyof Indicators, why: RegExp, about?: string]>([
    ['PearTree', 'is_mintable', /requires a secret/],
    ['SecretGarden', 'is_mintable', /requires a secret/],
    ['LuckyNumber', 'is_mintable', /requires a secret/],
    ['TeaHouse', 'is_blacklisted', /requires a secret/],
    ['HymnBook', 'is_mintable', /answer of another contract/, 'Cloister'],
    ['Caravan', 'is_mintable', /same transaction/],
    ['SlowMail', 'is_mintable', /contract call itself/],
    ['WideParish', 'is_mintable', /calls of others/],
    ['NewsBoard', 'transfer_pausable', /no contract is yet/],
    ['PlaceCard', 'is_blacklisted', /somebody has approved/],
    ['QuietMill', 'hidden_owner', /no public getter names/, 'MillOffice'],
    ['QuietBakery', 'is_mintable', /no account on it is known/],
    ['QuietBakery', 'hidden_owner', /list without a public getter/],
  ])('%s obeys whom nobody can play here, so %s is unknown', async (name, flag, why, about) => {
    const report = await analysed(name, about)
    expect(report?.indicators).toMatchObject({ [flag]: 0, is_honeypot: 0 })
    expect(report?.unknowns[flag]).toMatch(why)
    expect(report?.status).toBe('Not Fraud')
  })

  const DEAD = `0x${'0'.repeat(36)}dead`
  const NOBODY = `0x${'0'.repeat(40)}`
  /** A token whose roles somebody administers. */
  const administered = async (name: string, admin: 'person' | 'contract' | 'nobody', last: string, owned = true) => {
    const { maker, lab } = tokens
    const who = { person: maker, contract: await tokens.deploy('TipTray'), nobody: NOBODY }[admin]
    const args = `${pad(who)}${pad(last === 'maker' ? maker : last)}${word(owned ? 1n : 0n)}`
    const token = await lab.deploy(maker, `${tokens.contract(name).creation}${args}`)
    return tokens.analyse((await tokens.pool(token)).token)
  }

  test.each([DEAD, NOBODY])('who administers roles rules a contract that reads as given up to %s', async (last) => {
    const report = await administered('Abdication', 'person', last)
    expect(report?.indicators).toMatchObject({ hidden_owner: 1, is_mintable: 1, owner_address: last })
    expect(report?.findings.hiddenOwner.evidence[0]).toContain(tokens.maker)
    // Everybody can look it up: that alone makes no fraud.
    expect(report?.status).toBe('Not Fraud')
  })

  test.each<[string, Parameters<typeof administered>, RegExp | undefined]>([
    ['has an owner', ['Abdication', 'person', 'maker'], undefined],
    ['was given up with its roles', ['Abdication', 'nobody', NOBODY], undefined],
    ['rules over nobody', ['Retirement', 'person', DEAD], undefined],
    ['may never have had an owner', ['Abdication', 'person', NOBODY, false], /ownership was ever renounced/],
    ['is administered by a contract', ['Abdication', 'contract', DEAD], /a contract administers the roles/],
  ])('a token with roles that %s has no hidden owner', async (_, made, why) => {
    const report = await administered(...made)
    expect(report?.indicators).toMatchObject({ hidden_owner: 0, is_honeypot: 0 })
    if (why) expect(report?.unknowns.hidden_owner).toMatch(why)
    else expect(report?.unknowns).not.toHaveProperty('hidden_owner')
    expect(report?.status).toBe('Not Fraud')
  })

  test('SharedHive keeps a fiftieth of what one account sends to another', async () => {
    const { walletTransfer } = (await analysed('SharedHive'))?.facts ?? {}
    expect(walletTransfer).toEqual({ outcome: 'accepted', tax: expect.closeTo(2, 1), why: null })
  })

  test('ParkGate has nothing to open, and its keeper, who may, is known', async () => {
    const report = await analysed('ParkGate')
    expect(report?.indicators).toMatchObject({ transfer_pausable: 1, is_blacklisted: 0, hidden_owner: 0 })
    for (const flag of ['is_blacklisted', 'slippage_modifiable', 'anti_whale_modifiable', 'is_whitelisted'])
      expect(report?.unknowns).not.toHaveProperty(flag)
  })

  test.each([
    ['LongHall', true],
    ['WideHall', false],
  ])('%s has more contracts than are tried, and what transfers ask of them is unknown: %s', async (name, asked) => {
    const report = await analysed(name)
    const why = 'a transfer asks more contracts than are tried'
    expect(report?.unknowns.is_blacklisted).toBe(asked ? why : undefined)
    expect(report?.unknowns.transfer_pausable).toBe(asked ? why : undefined)
    expect(report?.indicators).toMatchObject({ is_blacklisted: 0, is_honeypot: 0, external_call: 1 })
    expect(report?.status).toBe('Not Fraud')
  })

  test.each([
    ['LampLight', null, true],
    ['LampLight', 0, false],
    ['LampPost', null, false],
  ])(
    '%s turns on a contract that can be destroyed, where its code goes with it (%s): %s',
    async (name, from, rules) => {
      const { token } = await tokens.list(name, await tokens.deploy('Lamp'))
      const registry = { ...ETH, eip6780From: from }
      const report = await tokens.analysisOn(tokens.lab, { registry })(token)
      const why = 'a transfer asks a contract that can be destroyed and made anew with other code'
      expect(report?.unknowns.transfer_pausable).toBe(rules ? why : undefined)
      expect(report?.unknowns.is_blacklisted).toBe(rules ? why : undefined)
      expect(report?.indicators).toMatchObject({ selfdestruct: 0, transfer_pausable: 0, is_honeypot: 0 })
    },
  )

  test.each([
    ['Porter', 1],
    ['KindPorter', 0],
  ])('a %s behind a proxy is asked by every transfer, and found', async (name, freezes) => {
    const porter = await tokens.deploy('CornerShop', await tokens.deploy(name))
    const { lab, maker } = tokens
    await lab.send({ from: maker, to: porter, data: `${selector('hire(address)')}${pad(maker)}` })
    const report = await tokens.analyse((await tokens.list('GuestHouse', porter)).token)
    expect(report?.indicators).toMatchObject({ is_blacklisted: freezes, external_call: 1, is_honeypot: 0 })
    expect(report?.unknowns).not.toHaveProperty('is_blacklisted')
    expect(report?.status).toBe('Not Fraud')
  })
})

/** A contract with so many functions, each for one account of its own, that answers yes to whatever else it is asked. */
const manyKeys = (count: number): string => {
  const hex = (value: number, bytes: number) => value.toString(16).padStart(2 * bytes, '0')
  const [head, body] = [6 + count * 11 + 10, 40]
  const cases = Array.from({ length: count }, (_, i) => `8063${hex(0x20000000 + i, 4)}1461${hex(head + i * body, 2)}57`)
  const bodies = Array.from({ length: count }, (_, i) => {
    const there = head + i * body + 33
    return `5b3373${hex(0xbeef00 + i, 20)}1461${hex(there, 2)}5760006000fd5b6001335500`.padEnd(2 * body, '0')
  })
  return `0x60003560e01c${cases.join('')}600160005260206000f3${bodies.join('')}`
}

test.each([
  [20, false],
  [500, true],
])(
  'a contract that transfers ask obeys %i accounts: bounded requests, and unknown flags where some are not played (%s)',
  async (count, cut) => {
    const porter = await tokens.deploy('KindPorter')
    await tokens.lab.ask('anvil_setCode', porter, manyKeys(count))
    const { token } = await tokens.list('GuestHouse', porter)
    let most = 0
    const watching = tokens.analysisOn({
      request: (call) => {
        for (const param of call.params)
          if (typeof param === 'object' && param !== null) most = Math.max(most, Object.keys(param).length)
        return tokens.lab.request(call)
      },
    })
    const report = await watching(token)
    expect(most).toBeGreaterThan(Math.min(count, 64))
    expect(most).toBeLessThan(100)
    expect(report?.unknowns.is_blacklisted !== undefined).toBe(cut)
    expect(report?.indicators).toMatchObject({ is_blacklisted: 0, is_honeypot: 0 })
  },
)

describe('liquidity that a contract keeps', () => {
  /** Gives the liquidity of `giver` to a contract, from where `caller` takes it. */
  const takenOut = async (giver: string, caller: string) => {
    const { lab, maker } = tokens
    const { token, pair } = await tokens.list('LendingShelf')
    if (giver !== maker) {
      await lab.send({ from: maker, to: token, data: `0xa9059cbb${pad(giver)}${word(400_000n * COIN)}` })
      await lab.addLiquidity('ETH', giver, token, 400_000n * COIN, 16n * COIN)
    }
    const shed = await tokens.deploy('ToolShed')
    const held = BigInt(await lab.ask<string>('eth_call', { to: pair, data: `0x70a08231${pad(giver)}` }, 'latest'))
    await lab.send({ from: giver, to: pair, data: `0x095ea7b3${pad(shed)}${word(held)}` })
    const take = toFunctionSelector('take(address,uint256)')
    await lab.send({ from: giver, to: shed, data: `${take}${pad(pair)}${word(held)}` })
    const open = toFunctionSelector('open(address,address)')
    await lab.send({ from: caller, to: shed, data: `${open}${pad(pair)}${pad(caller)}` })
    return tokens.analyse(token)
  }
  const other = (i: number) => (tokens.lab.accounts[i] ?? '').toLowerCase()

  test('that of the creator is withdrawn by the creator, whoever calls the contract', async () => {
    const report = await takenOut(tokens.maker, other(4))
    expect(report?.reasons.fraud.map(({ code }) => code)).toContain('liquidity_removed')
    expect(report?.status).toBe('Fraud')
  })

  test.each([
    [5, 5],
    [5, 6],
  ])('that of a guest accuses nobody (guest %i, caller %i)', async (guest, caller) => {
    const report = await takenOut(other(guest), other(caller))
    expect(report?.reasons.fraud.map(({ code }) => code)).not.toContain('liquidity_removed')
    expect(report?.status).toBe('Not Fraud')
  })
})
