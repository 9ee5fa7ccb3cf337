import { expect, test } from 'vitest'
import { bodyOf } from '../../../test/contract/api/kit.ts'
import { changeOf } from './change.ts'
import { bandOf, judgedOf, type WatchedRecord, withLastTaxes } from './verdict.ts'

const record = (operation: WatchedRecord['operation'], changes: object = {}, more: Partial<WatchedRecord> = {}) => {
  const { forensic_details, risk_indicators, ...body } = JSON.parse(bodyOf(operation, 'ETH'))
  const { flags = {}, indicators = {}, ...rest } = changes as { flags?: object; indicators?: object }
  return judgedOf({
    operation,
    network: 'ETH',
    address: '0x1',
    version: 1,
    body: JSON.stringify({
      ...body,
      ...rest,
      forensic_details: { ...forensic_details, ...flags },
      ...(risk_indicators && { risk_indicators: { ...risk_indicators, ...indicators } }),
    }),
    reasons: '[]',
    unknowns: '',
    modelVersion: 'm',
    dataHeight: 1,
    ...more,
  })
}
const wallet = (changes?: object, more?: Partial<WatchedRecord>) => record('fraud_check', changes, more)
const contract = (changes?: object, more?: Partial<WatchedRecord>) =>
  record('rug_pull', changes, { reasons: '{"risk":[],"fraud":[]}', ...more })

test.each([
  [
    'clocks, versions, heights and sources',
    wallet({ lastChecked: 'later', flags: { data_source: 'x' } }, { version: 9, dataHeight: 9 }),
  ],
  ['digits within a band', wallet({ probabilityFraud: '0.1499999999' })],
  ['another model with the same verdict', wallet({}, { modelVersion: 'n', reasons: '[{"code":"a"}]' })],
])('%s are no change', (_, after) => {
  expect(changeOf(wallet(), after)).toBeUndefined()
})

test.each([
  ['a flag', wallet({ flags: { mixer: '1' } }), 'worse'],
  ['a count', wallet({ flags: { number_of_malicious_contracts_created: '2' } }), 'worse'],
  ['a higher band', wallet({ probabilityFraud: '0.1500000001' }), 'worse'],
  ['fraud', wallet({ status: 'Fraud' }), 'worse'],
  ['no history any more', wallet({ status: 'New Address' }), 'neutral'],
])('%s is a change of a wallet', (_, after, direction) => {
  expect(changeOf(wallet(), after)?.direction).toBe(direction)
  const back = changeOf(after, wallet())
  expect(back?.direction).toBe(direction === 'worse' ? 'better' : 'neutral')
})

test('a flag replaced by another counts as worse, and both are named', () => {
  const change = changeOf(wallet({ flags: { mixer: '1' } }), wallet({ flags: { sanctioned: '1' } }))
  expect(change).toMatchObject({ direction: 'worse', flagsRaised: ['sanctioned'], flagsCleared: ['mixer'] })
})

test('reports a first verdict if it is not clean, and a withdrawn verdict if it was not clean', () => {
  expect(changeOf(null, wallet())).toBeUndefined()
  expect(changeOf(wallet(), null)).toBeUndefined()
  expect(changeOf(null, wallet({ flags: { mixer: '1' } }))).toMatchObject({ direction: 'worse', before: null })
  expect(changeOf(wallet({ flags: { mixer: '1' } }), null)).toMatchObject({ direction: 'better', after: null })
})

test.each([
  ['a price', { indicators: { liquidity: 1, market_cap: 5 } }, undefined],
  ['a listing', { indicators: { is_in_dex: 1, is_open_source: 1 } }, undefined],
  ['a honeypot', { indicators: { is_honeypot: 1 } }, 'worse'],
  ['locked liquidity', { indicators: { lp_holders_locked: true } }, 'better'],
  ['a higher tax', { indicators: { sell_tax: 99 } }, 'worse'],
  ['a lower risk', { risk_status: 'Medium Risk' }, 'better'],
])('compares contract records correctly: %s', (_, changes, direction) => {
  expect(changeOf(contract(), contract(changes))?.direction).toBe(direction)
  const back = direction && { worse: 'better', better: 'worse' }[direction]
  expect(changeOf(contract(changes), contract())?.direction).toBe(back)
})

test('an unknown tax is not 0: the last measured tax stays the reference', () => {
  const taxed = contract({ indicators: { buy_tax: 5, sell_tax: 5 } })
  const unknown = contract({ indicators: { buy_tax: 0, sell_tax: 0 } }, { unknowns: '{"buy_tax":"","sell_tax":""}' })
  const raised = contract({ indicators: { buy_tax: 5, sell_tax: 30 } })
  expect(unknown?.verdict).toMatchObject({ buyTax: null, sellTax: null })
  const between = withLastTaxes(taxed, unknown)
  expect(between?.verdict).toMatchObject({ buyTax: 5, sellTax: 5 })
  expect(changeOf(taxed, between)).toBeUndefined()
  expect(changeOf(between, withLastTaxes(between, raised))).toMatchObject({ direction: 'worse', flagsRaised: [] })
  // Measured for the first time.
  expect(changeOf(unknown, withLastTaxes(unknown, raised))).toBeUndefined()
})

test('every probability has a band', () => {
  const at = [0, 0.15, 0.1500001, 0.155, 0.16, 0.5, 0.505, 0.75, 0.7500001, 1]
  const [low, elevated, high, highest] = ['low', 'elevated', 'high', 'very_high']
  expect(at.map(bandOf)).toEqual([low, low, elevated, elevated, elevated, elevated, high, high, highest, highest])
})
