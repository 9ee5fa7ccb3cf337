/** Proxies that show one code and run another: what they run is found, or unknown. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Requester } from '../../../scorer/contracts/chain/call.ts'
import { COIN, type ListedTokens, startListedTokens } from '../../kit/contracts/tokens/listed-tokens.ts'

const ACCOUNT = `0x${'7702'.repeat(10)}`
let tokens: ListedTokens
/** The code of an honest token, and of one that prints. */
let bread = ''
let sweet = ''

beforeAll(async () => {
  tokens = await startListedTokens(new URL('../../kit/contracts/tokens/borrowers.sol', import.meta.url))
  bread = await tokens.deploy('Bread')
  sweet = await tokens.deploy('SweetBread')
})
afterAll(() => tokens?.stop())

const analysed = async (name: string, ...codes: string[]) => {
  const { token } = await tokens.pool(await tokens.deploy(name, ...codes), true)
  return tokens.analyse(token)
}
/** A token that has coins of its own. */
const withCoins = async (name: string, coins: bigint) => {
  const { token } = await tokens.pool(await tokens.deploy(name), true)
  await tokens.lab.ask('anvil_setBalance', token, `0x${(coins * COIN).toString(16)}`)
  return tokens.analyse(token)
}
/** What a person's account borrows (EIP-7702). */
const borrowing = async (code: string) => {
  await tokens.lab.ask('anvil_setCode', ACCOUNT, `0xef0100${code.slice(2)}`)
  return ACCOUNT
}

describe('they print', () => {
  test.each(['BackRoom', 'StaffCounter', 'ShopSign', 'ShownBook'])('%s shows another code', async (name) => {
    expect((await analysed(name, bread, sweet))?.indicators).toMatchObject({ is_mintable: 1 })
  })

  test('a beacon that answers its proxy otherwise than others', async () => {
    const beacon = await tokens.deploy('TwoFaces', bread, sweet)
    expect((await analysed('Harbourmaster', beacon))?.indicators).toMatchObject({ is_proxy: 1, is_mintable: 1 })
  })

  test('the code of an account that borrows it', async () => {
    const report = await analysed('Lodger', await borrowing(sweet))
    expect(report?.indicators).toMatchObject({ is_proxy: 1, is_mintable: 1 })
  })

  test.each(['FiveShelves', 'CardFile', 'ShownCard', 'CutGlass'])(
    'what %s may run besides is unknown',
    async (name) => {
      const report = await analysed(name, bread, sweet)
      expect(report?.indicators.is_proxy).toBe(1)
      for (const flag of ['is_mintable', 'owner_change_balance', 'hidden_owner'])
        expect(report?.unknowns[flag]).toBe('not all of the code could be read')
    },
  )
})

test('whether transfers stop is unknown where they do once an account has coins', async () => {
  const report = await analysed('RainGauge')
  expect(report?.indicators).toMatchObject({ is_honeypot: 0, transfer_pausable: 0 })
  expect(report?.unknowns.transfer_pausable).toBe('a transfer depends on the coins that an account has')
})

test('an owner who takes the coins that keep trade open can pause it', async () => {
  const report = await withCoins('OwnBarrel', 3n)
  expect(report?.indicators).toMatchObject({ transfer_pausable: 1, is_honeypot: 0, cannot_buy: 0 })
})

test.each([
  ['TappedBarrel', 3n],
  ['OldShelf', 0n],
  ['HighShelf', 0n],
])('whether transfers of %s stop is unknown, as its own coins decide it', async (name, coins) => {
  const report = await withCoins(name, coins)
  expect(report?.indicators).toMatchObject({ is_honeypot: 0, cannot_buy: 0, transfer_pausable: 0 })
  expect(report?.unknowns.transfer_pausable).toBe('a transfer depends on the coins that the token has')
  expect(report?.status).toBe('Not Fraud')
})

test('whether transfers stop by coins is unknown of trade that is not open yet', async () => {
  const report = await withCoins('NightShelf', 0n)
  expect(report?.indicators).toMatchObject({ cannot_buy: 1, is_honeypot: 0 })
  expect(report?.unknowns.transfer_pausable).toBe('a transfer depends on the coins that the token has')
})

test('what coins of its own do to transfers is unknown where the node does not run that', async () => {
  const { token } = await tokens.pool(await tokens.deploy('HoneyJar'), true)
  const rpc: Requester = {
    request: async (asked) => {
      const [, , overrides] = asked.params as [unknown, unknown, Record<string, { balance?: string }>?]
      if (asked.method === 'eth_call' && overrides?.[token]?.balance === '0x0') throw new Error('the node is busy')
      return tokens.lab.request(asked)
    },
  }
  const report = await tokens.analysisOn(rpc)(token)
  expect(report?.indicators).toMatchObject({ is_honeypot: 0, transfer_pausable: 0 })
  expect(report?.unknowns.transfer_pausable).toBe('what a transfer depends on could not be tried')
})

describe('they look like it', () => {
  const expectHonest = (report: Awaited<ReturnType<typeof analysed>>) => {
    const clean = { is_mintable: 0, owner_change_balance: 0, is_blacklisted: 0, is_honeypot: 0, hidden_owner: 0 }
    expect(report?.indicators).toMatchObject(clean)
    for (const flag of Object.keys(clean)) expect(report?.unknowns).not.toHaveProperty(flag)
    expect(report?.status).toBe('Not Fraud')
  }
  test.each(['SideRoom', 'StaffCounter', 'ShownBook', 'TrueCopy'])('%s whose every code is honest', async (name) => {
    expectHonest(await analysed(name, bread, bread))
  })
  test('a beacon that answers everybody alike', async () => {
    expectHonest(await analysed('Harbourmaster', await tokens.deploy('TwoFaces', bread, bread)))
  })
  test('a transfer that looks at the coins of an account', async () => {
    expectHonest(await analysed('RainDiary'))
  })
  test('a token that shares out the coins it collects', async () => {
    const report = await withCoins('HoneyJar', 1n)
    expectHonest(report)
    expect(report?.indicators.transfer_pausable).toBe(0)
    expect(report?.unknowns).not.toHaveProperty('transfer_pausable')
  })
  test('an account that borrows honest code', async () => {
    expectHonest(await analysed('Lodger', await borrowing(bread)))
  })
})
