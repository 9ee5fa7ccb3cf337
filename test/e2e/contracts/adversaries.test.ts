import { readFileSync } from 'node:fs'
import { toFunctionSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Indicators } from '../../../scorer/contracts/verdict/verdict.ts'
import { COIN, type ListedTokens, pad, startListedTokens, word } from '../../kit/chain/listed-tokens.ts'

let tokens: ListedTokens

beforeAll(async () => {
  tokens = await startListedTokens(new URL('../../kit/chain/adversary-tokens.sol', import.meta.url))
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
  const file = new URL('../../kit/chain/vyper-token.json', import.meta.url)
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
    ['TownMeeting', twice('propose(address,uint256)', 'apply_()', 'time, ')],
    ['HarvestFair', thrice('')],
    ['LongWinter', thrice('time, ')],
    ['LateHarvest', `time, then ${selector('reap(address,uint256)')} called by`],
    ['ParishVote', `, time, then ${selector('enact()')} called by`],
  ])('%s mints', async (name, evidence) => {
    const report = await analysed(name)
    expect(report?.indicators.is_mintable).toBe(1)
    expect(report?.findings.mint.evidence.join()).toContain(evidence)
  })

  test.each([
    ...['LendingShelf', 'CoatCheck', 'ParishFund', 'Mailbox', 'HomeCooking', 'RaffleNight', 'CloakRoom'],
    ...['FairPen', 'Diary', 'NameTags', 'QuietLaunch', 'VillageShop', 'OpenDay'],
    ...['SharedHive', 'ParishPurse', 'CollectionPlate', 'LetterBox', 'PassThrough', 'SlowPost'],
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
    ['DoorTouch', { is_blacklisted: 1 }],
    ['TownCrier', { transfer_pausable: 1, external_call: 1 }, 'RegisterOffice'],
    ['OpenMill', { is_mintable: 1, hidden_owner: 0 }, 'MillOffice'],
  ])('%s has a power behind a guard of its own, and it is found: %j', async (name, found, about) => {
    const report = await analysed(name, about)
    expect(report?.indicators).toMatchObject({ ...found, is_honeypot: 0 })
  })

  test.each<[name: string, flag: keyof Indicators, why: RegExp, about?: string]>([
    ['PearTree', 'is_mintable', /only a hash of/],
    ['SecretGarden', 'is_mintable', /only a hash of/],
    ['LuckyNumber', 'is_mintable', /only a hash of/],
    ['TeaHouse', 'is_blacklisted', /only a hash of/],
    ['HymnBook', 'is_mintable', /answer of another contract/, 'Choir'],
    ['Caravan', 'is_mintable', /same transaction/],
    ['SlowMail', 'is_mintable', /makes to itself/],
    ['WideParish', 'is_mintable', /calls of others/],
    ['NewsBoard', 'transfer_pausable', /no contract is yet/],
    ['PlaceCard', 'is_blacklisted', /somebody has approved/],
    ['QuietMill', 'hidden_owner', /no getter shows/, 'MillOffice'],
  ])('%s obeys whom nobody can play here, so %s is unknown', async (name, flag, why, about) => {
    const report = await analysed(name, about)
    expect(report?.indicators).toMatchObject({ [flag]: 0, is_honeypot: 0 })
    expect(report?.unknowns[flag]).toMatch(why)
    expect(report?.status).toBe('Not Fraud')
  })

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
