import { toFunctionSelector } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Indicators } from '../../../scorer/contracts/verdict/verdict.ts'
import { type ListedTokens, pad, startListedTokens } from '../../kit/contracts/tokens/listed-tokens.ts'

let tokens: ListedTokens

beforeAll(async () => {
  tokens = await startListedTokens(new URL('../../kit/contracts/tokens/new-mechanisms.sol', import.meta.url))
})
afterAll(() => tokens?.stop())

/** A contract and what it has to know. */
type Case = [name: string, about?: string]
const analysed = async ([name, about]: Case) => {
  const { token } = await tokens.list(name, ...(about === undefined ? [] : [await tokens.deploy(about)]))
  return tokens.analyse(token)
}
/** A token behind a proxy of beacons. */
const behind = async (goods: string) => {
  const code = await tokens.deploy(goods)
  // The beacon is itself behind a beacon.
  const inner = await tokens.deploy('BeaconOf', await tokens.deploy('BeaconOf', code))
  const token = await tokens.deploy('BeaconProxyOf', await tokens.deploy('BeaconProxyOf', inner))
  const { lab, maker } = tokens
  await lab.send({ from: maker, to: token, data: `${toFunctionSelector('open(address)')}${pad(maker)}` })
  return tokens.analyse((await tokens.pool(token, true)).token)
}

describe('they lie', () => {
  test.each<[Case, Partial<Indicators>]>([
    [['GardenGate'], { is_honeypot: 1 }],
    [['LateShift'], { is_honeypot: 1 }],
    [['SharedKitchen'], { owner_change_balance: 1 }],
    [['HarborCafe', 'Barometer'], { slippage_modifiable: 1 }],
    [['BookFair'], { is_honeypot: 1 }],
    [['FishMarket', 'Lighthouse'], { transfer_pausable: 1 }],
    [['IceCream'], { is_honeypot: 1 }],
    [['FarmStand', 'Collector'], { transfer_pausable: 1 }],
    [['PostOffice'], { owner_change_balance: 1 }],
    [['SelfMade'], { is_mintable: 1 }],
    [['SelfMadeAnywhere'], { is_mintable: 1 }],
    [['OpenStage'], { owner_change_balance: 1 }],
    [['Calendar'], { slippage_modifiable: 1 }],
    [['RowOfTaps'], { slippage_modifiable: 1 }],
    [['TicketOffice'], { is_blacklisted: 1 }],
    [['CloakTags'], { is_blacklisted: 1 }],
    [['NextBell'], { is_blacklisted: 1 }],
    [['TeaMessenger'], { owner_change_balance: 1 }],
    [['Measure'], { owner_change_balance: 1 }],
    [['HastyGarden'], { is_honeypot: 1 }],
    [['DearMarket'], { is_honeypot: 1, buy_tax: 97 }],
    [['AutumnMarket'], { is_honeypot: 1 }],
    [['WinterMarket'], { is_honeypot: 1 }],
    [['EntranceFee'], { is_honeypot: 1 }],
    [['HappyHour'], { is_honeypot: 1 }],
    [['CabinFee'], { is_honeypot: 1 }],
    [['GardenParty'], { is_honeypot: 1, sell_tax: 97 }],
    [['WelcomeDesk'], { is_honeypot: 1, buy_tax: 97 }],
    [['RestlessFair'], { is_honeypot: 1 }],
    [['StillWater'], { is_honeypot: 1 }],
    [['EagerQueue'], { is_honeypot: 1 }],
    [['TiredPorter'], { is_honeypot: 1 }],
    [['MorningFog'], { is_honeypot: 1 }],
    [['SmallChange'], { is_honeypot: 1 }],
    [['NightMarket'], { is_honeypot: 1 }],
    [['WeekendFair'], { is_honeypot: 1 }],
    [['EvenTide'], { is_honeypot: 1 }],
    [['OddTide'], { is_honeypot: 1 }],
    [['BetweenBells'], { is_honeypot: 1 }],
    [['BetweenTrains'], { is_honeypot: 1 }],
    [['DiceCafe'], { is_honeypot: 1 }],
    [['TipJar'], { is_honeypot: 1 }],
    [['ThirteenthGuest'], { is_honeypot: 1 }],
    [['RegularGuest'], { is_honeypot: 1 }],
    [['GlassHouse', 'HourGlass'], { is_honeypot: 1 }],
    [['MilkRound'], { is_honeypot: 1, sell_tax: 97 }],
    [['CountingHouse'], { is_honeypot: 1 }],
    [['FrontDoor'], { is_honeypot: 1, sell_tax: 97 }],
    [['SideDoor'], { is_honeypot: 1 }],
    [['TwinDoors'], { is_honeypot: 1 }],
    [['GuestDoor'], { is_honeypot: 1 }],
    [['SeasonDoor'], { is_honeypot: 1 }],
    [['ToolHouse'], { is_honeypot: 1, sell_tax: 97 }],
    [['ShortVisit'], { is_honeypot: 1 }],
    [['WeekdayDoor'], { is_honeypot: 1 }],
    [['WeekdayTools'], { is_honeypot: 1 }],
    [['HourlyTools'], { is_honeypot: 1 }],
    [['WeekdayLatch'], { is_honeypot: 1 }],
    [['WeekdayKeys'], { is_honeypot: 1 }],
    [['HighTide'], { is_honeypot: 1, sell_tax: 0 }],
    [['SpringTide'], { is_honeypot: 1, is_anti_whale: 1 }],
    [['DoorMan'], { is_honeypot: 1, sell_tax: 97 }],
  ])('%j', async (which, expected) => {
    expect((await analysed(which))?.indicators).toMatchObject(expected)
  })

  test('what a signature brings about is unknown, because nobody here can sign', async () => {
    const report = await analysed(['SignedLoaf'])
    expect(report?.indicators).toMatchObject({ is_mintable: 0, owner_change_balance: 0 })
    for (const flag of ['is_mintable', 'owner_change_balance'])
      expect(report?.unknowns[flag]).toMatch(/requires a signature/)
  })

  test('a mint behind a beacon behind a beacon', async () => {
    expect((await behind('PrintedWares'))?.indicators).toMatchObject({ is_proxy: 1, is_mintable: 1 })
  })
})

/** Those that obey a contract which nobody rules, or a proof which nobody here has. */
const OBEYED = ['WoolShop', 'CoffeeMessenger', 'SummerFete']

describe('they look like it', () => {
  test.each<[Case]>([
    [['QuietLibrary']],
    [['OneScoop']],
    [['OpenAir']],
    [['WoolShop', 'Courier']],
    [['YarnShop']],
    [['RowingClub', 'Tides']],
    [['SummerFete']],
    [['ClockTower', 'Almanac']],
    [['SlowBread']],
    [['LetterBox']],
    [['EarlyBird']],
    [['PatientGarden']],
    [['TulipAuction']],
    [['WetPaint']],
    [['FishingNet']],
    [['OakBarrel']],
    [['SingleFile']],
    [['MomentLoan']],
    [['ShoppingList']],
    [['Errands']],
    [['SignedLetter']],
    [['RaffleTickets']],
    [['CoffeeMessenger', 'HonestMessenger']],
    [['KindBell']],
    [['SundayBest']],
    [['PennyDice']],
    [['MarketHours']],
    [['OpeningNight']],
    [['SlowSeller']],
    [['QuietBidder']],
    [['ClockShop', 'TownClock']],
    [['KeyHolders']],
    [['DoorKeepers']],
    [['DayKeepers']],
    [['WeekendKeepers']],
    [['CoolHead']],
    [['FairScale']],
    [['HourlyBus']],
    [['WholeLoaves']],
  ])('%j', async (which) => {
    const report = await analysed(which)
    expect(report?.indicators).toMatchObject({
      is_honeypot: 0,
      cannot_buy: 0,
      cannot_sell_all: 0,
      is_mintable: 0,
      owner_change_balance: 0,
      is_blacklisted: 0,
      transfer_pausable: 0,
      slippage_modifiable: 0,
      hidden_owner: 0,
    })
    expect(report?.unknowns).not.toHaveProperty('is_honeypot')
    expect(report?.status).toBe('Not Fraud')
    // What a contract nobody knows does with everybody's tokens is decided by that contract, and a claim by who is on the list.
    expect(report?.unknowns.owner_change_balance !== undefined).toBe(OBEYED.includes(which[0]))
  })

  test('code behind two beacons that makes nothing', async () => {
    const report = await behind('HonestWares')
    expect(report?.indicators).toMatchObject({ is_proxy: 1, is_mintable: 0, is_honeypot: 0 })
    expect(report?.status).toBe('Not Fraud')
  })
})
