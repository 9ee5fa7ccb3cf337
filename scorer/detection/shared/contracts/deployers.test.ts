/** The number of contracts of a maker hides none of them, and accuses nobody who makes contracts for others. */
import { expect, test } from 'vitest'
import { act, crowd, flagsKit, flagsOf, move } from '../../../../test/contract/scoring/flags.kit.ts'
import { type Action, named } from '../../../../test/kit/world/transactions.ts'

const { happened, verdicts } = flagsKit()
const ZERO = `0x${'0'.repeat(40)}`

const issues = (contract: string, symbol: string, name: string): Action[] => [
  { do: 'create', contract: named(contract) },
  { do: 'token-name', token: named(contract), symbol, name },
]
/** Makes a counterfeit and sends it to many. */
const counterfeits = (maker: string, fake: string) => [
  act(maker, '', 1, ...issues(fake, 'USDC', 'USD Coin')),
  act(maker, fake, 2, ...crowd('h', 60).map((who) => move(ZERO, who, 1_000n, fake))),
]
/** Unused contracts, made in one transaction. */
const empty = (maker: string, count: number) =>
  act(maker, 'maker', 9, ...crowd(`${maker}-`, count).map((one): Action => ({ do: 'create', contract: named(one) })))

test('thousands of unused contracts hide no counterfeit; a maker of thousands of used ones is not examined', async () => {
  await happened(
    counterfeits('faker', 'fake1'),
    empty('faker', 501),
    counterfeits('forger', 'fake2'),
    empty('forger', 5_001),
    counterfeits('launcher', 'fake3'),
    act('launcher', 'launchpad', 9, ...crowd('t', 5_001).flatMap((token) => issues(token, token, token))),
  )
  const [faker, forger, launcher] = await verdicts('faker', 'forger', 'launcher')
  for (const guilty of [faker, forger])
    expect(flagsOf(guilty)).toEqual({
      fake_token: '1',
      number_of_malicious_contracts_created: '1',
      data_source: 'counterfeit-token',
    })
  expect(flagsOf(launcher)).toEqual({})
  expect(launcher!.unknowns).toContain('contracts: too many to analyse')
})
