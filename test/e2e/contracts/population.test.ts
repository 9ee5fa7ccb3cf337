/** Tokens written down with the truth about them before anybody looked at the analysis. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Indicators } from '../../../scorer/contracts/verdict/verdict.ts'
import { COIN, type ListedTokens, pad, startListedTokens, word } from '../../kit/contracts/tokens/listed-tokens.ts'

let tokens: ListedTokens

beforeAll(async () => {
  tokens = await startListedTokens(new URL('../../kit/contracts/tokens/population/all.sol', import.meta.url))
})
afterAll(() => tokens?.stop())

type Case = [name: string, ...about: string[]]
/** What a token has to know: contracts of its own, or accounts by their number. */
const analysed = async ([name, ...about]: Case) => {
  const known: string[] = []
  for (const one of about)
    known.push(/^\d/.test(one) ? (tokens.lab.accounts[Number(one)] ?? '').toLowerCase() : await tokens.deploy(one))
  return tokens.analyse((await tokens.list(name, ...known)).token)
}

/** A block so many seconds later, with other moments to try. */
const later = async (seconds: number) => {
  const { lab, maker } = tokens
  await lab.ask('evm_increaseTime', seconds)
  await lab.send({ from: maker, to: maker, data: '0x' })
}

describe('they lie', () => {
  test.each<[Case, Partial<Indicators>]>([
    [['Quill'], { is_honeypot: 1 }],
    [['Marlow'], { is_honeypot: 1 }],
    [['Bracken'], { is_honeypot: 1 }],
    [['Fennel'], { is_honeypot: 1 }],
    [['Linden'], { is_honeypot: 1 }],
    [['Ember'], { gas_abuse: 1 }],
    [['Harbor'], { owner_change_balance: 1, external_call: 1 }],
    [['Tidewater'], { owner_change_balance: 1, hidden_owner: 1 }],
    [['Laurel'], { slippage_modifiable: 1, hidden_owner: 1 }],
    [['Cobalt'], { owner_change_balance: 1 }],
    [['Willow'], { transfer_pausable: 1, hidden_owner: 1 }],
    [['Sable'], { owner_change_balance: 1 }],
    [['Orchard'], { is_mintable: 1, hidden_owner: 1 }],
    [['Juniper'], { is_mintable: 1, hidden_owner: 1 }],
    [['Hazel'], { is_proxy: 1 }],
    [['Thistle'], { owner_change_balance: 1, hidden_owner: 1 }],
    [['Rowan', 'RowanBadge'], { is_mintable: 1, hidden_owner: 1 }],
    [['Sorrel'], { owner_change_balance: 1 }],
    [['Nettle'], { is_blacklisted: 1 }],
    [['Yarrow'], { slippage_modifiable: 1 }],
    [['Borage'], { can_take_back_ownership: 1 }],
    [['Mallow'], { owner_change_balance: 1 }],
    [['Sedge'], { is_mintable: 1 }],
    [['Bistort'], { is_mintable: 1 }],
    [['Campion'], { transfer_pausable: 1 }],
    [['Clary'], { transfer_pausable: 1 }],
    [['Teasel'], { owner_change_balance: 1 }],
    [['Vetch'], { is_mintable: 1 }],
    [['Yew', 'YewBook'], { is_mintable: 1 }],
    [['Alder', 'AlderBook'], { owner_change_balance: 1 }],
    [['Osier', 'OsierBeacon'], { owner_change_balance: 1 }],
    [['Quince'], { is_mintable: 1, owner_change_balance: 1, hidden_owner: 1 }],
    [['Damson'], { is_mintable: 1, owner_change_balance: 1, hidden_owner: 1 }],
    [['Medlar'], { is_mintable: 1, owner_change_balance: 1, hidden_owner: 1 }],
    [['Sloe'], { is_mintable: 1, owner_change_balance: 1, hidden_owner: 1 }],
    [['Tansy'], { owner_change_balance: 1 }],
    [['Mullein'], { is_mintable: 1 }],
    [['Bryony'], { is_mintable: 1 }],
    [['Burdock'], { is_mintable: 1 }],
    [['Comfrey'], { is_mintable: 1, owner_change_balance: 1, hidden_owner: 1 }],
    [['Melilot'], { is_mintable: 1 }],
    [['Burnet'], { is_mintable: 1 }],
    [['Hyssop'], { is_mintable: 1, owner_change_balance: 1, hidden_owner: 1 }],
  ])('%j', async (which, expected) => {
    expect((await analysed(which))?.indicators).toMatchObject(expected)
  })

  test('Marlow does at whichever moments it is tried, on its market day and on others', async () => {
    const { token } = await tokens.list('Marlow')
    for (let i = 0; i < 6; i++) {
      expect((await tokens.analyse(token))?.indicators.is_honeypot).toBe(1)
      await later(9 * 3_600)
    }
  })

  test('Rushes does where a simulation has base fees (anvil has none in its own)', async () => {
    const { lab } = tokens
    const local = tokens.analysisOn({
      request: (call) =>
        call.method === 'eth_simulateV1' ? Promise.reject(new Error('method not found')) : lab.request(call),
    })
    expect((await local((await tokens.list('Rushes')).token))?.indicators.is_honeypot).toBe(1)
  })

  test.each<[Case, flag: string, why: RegExp]>([
    [['Meadow'], 'transfer_pausable', /where no contract is yet/],
    [['Larch', '3', '4'], 'is_mintable', /call itself/],
    [['Clover'], 'owner_change_balance', /call itself/],
    [['Aster'], 'owner_change_balance', /requires a secret/],
    [['Figwort'], 'is_mintable', /requires a secret/],
    [['Henbane'], 'is_mintable', /requires a secret/],
    [['Betony'], 'is_mintable', /requires a secret/],
  ])('what cannot be tried is unknown: %j %s', async (which, flag, why) => {
    expect((await analysed(which))?.unknowns[flag]).toMatch(why)
  })
})

describe('they do not', () => {
  const clean: Partial<Indicators> = {
    is_honeypot: 0,
    cannot_buy: 0,
    cannot_sell_all: 0,
    is_mintable: 0,
    hidden_owner: 0,
    can_take_back_ownership: 0,
    owner_change_balance: 0,
    is_blacklisted: 0,
    slippage_modifiable: 0,
    transfer_pausable: 0,
    trading_cooldown: 0,
    gas_abuse: 0,
  }
  test.each<[Case, Partial<Indicators>]>([
    [['Reflector'], { buy_tax: 2 }],
    [['Ample'], { buy_tax: 0, sell_tax: 0 }],
    [['Staked'], { transfer_pausable: 1 }],
    [['Interest'], { buy_tax: 0, sell_tax: 0 }],
    [['XToken'], { is_mintable: 1 }],
    [['Omni', 'Endpoint'], {}],
    [
      ['Security'],
      { cannot_buy: 1, transfer_pausable: 1, is_blacklisted: 1, is_whitelisted: 1, owner_change_balance: 1 },
    ],
    [['Vested', '3', '4'], {}],
    [['Streams'], {}],
    [['Claims'], {}],
    [['Lowering'], { buy_tax: 5, sell_tax: 5, slippage_modifiable: 1 }],
    [['Inflating'], { is_mintable: 1 }],
    [['Assembly'], {}],
    [['Mailroom'], {}],
    [['Cellar'], {}],
    [['Stamps'], {}],
    [['Cooling'], {}],
    [['Bourse'], {}],
    [['Redeemed'], {}],
    [['Busy'], {}],
    [['Bullion'], {}],
    [['Drizzle'], { hidden_owner: 1, slippage_modifiable: 1 }],
    [['Password'], { transfer_pausable: 1 }],
    [['Barley'], {}],
    [['Oat'], {}],
    [['Rye', 'RyeRegistry'], {}],
    [['Spelt', 'SpeltBeacon'], { is_proxy: 1 }],
    [['Millet'], {}],
    [['Wheat'], {}],
    [['Teff', 'TeffGauge'], {}],
    [['Fonio', 'FonioDesk'], { sell_tax: 5, is_whitelisted: 0 }],
    [['Sorghum', 'SorghumAsset'], {}],
  ])('%j', async (which, truth) => {
    const report = await analysed(which)
    expect(report?.indicators).toMatchObject({ ...clean, ...truth })
    expect(report?.status).toBe('Not Fraud')
  })

  test.each([
    ['Bourse', { cannot_buy: 0 }],
    ['Redeemed', { cannot_buy: 0 }],
    // Its pool owes a fee after a day, and cannot be bought from until somebody sells.
    ['Bullion', {}],
  ])('%s refuses trades at times, and is no trap whenever it is looked at', async (name, truth) => {
    const { token } = await tokens.list(name)
    for (let i = 0; i < 8; i++) {
      await later(9 * 3_600)
      const report = await tokens.analyse(token)
      expect(report?.indicators).toMatchObject({ is_honeypot: 0, ...truth })
      expect(report?.status).toBe('Not Fraud')
    }
  })

  test('a delegation of votes by signature leaves nothing unknown', async () => {
    const { unknowns } = (await analysed(['Assembly'])) ?? {}
    // No price, no creator: nothing that the code could tell.
    expect(Object.keys(unknowns ?? {})).toEqual(['market_cap', 'honeypot_with_same_creator', 'is_open_source'])
  })

  test('Hearth counts the tokens of a pool anew once it includes it, and nobody makes or takes any', async () => {
    const { lab, maker } = tokens
    const { token } = await tokens.list('Hearth')
    const most = word(400_000n * COIN)
    await lab.send({ from: maker, to: token, data: `0xa9059cbb${pad(lab.accounts[3] ?? '')}${most}` })
    const report = await tokens.analyse(token)
    expect(report?.indicators).toMatchObject({ ...clean, buy_tax: 5 })
    expect(report?.status).toBe('Not Fraud')
  })

  test('Lodge takes back its own liquidity, and nobody else’s tokens', async () => {
    const { lab, maker } = tokens
    const { token, pair } = await tokens.list('Lodge')
    const shares = await lab.ask<string>('eth_call', { to: pair, data: `0x70a08231${pad(maker)}` }, 'latest')
    await lab.send({
      from: maker,
      to: pair,
      data: `0xa9059cbb${pad(token)}${word(BigInt(shares) / 2n)}`,
    })
    const report = await tokens.analyse(token)
    expect(report?.indicators).toMatchObject(clean)
    expect(report?.status).toBe('Not Fraud')
  })
})
