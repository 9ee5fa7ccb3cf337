import { expect, test } from 'vitest'
import { act, flagsKit, flagsOf } from '../../../../test/contract/scoring/flags.kit.ts'
import { insertRows, named, rowsOf, type Tx } from '../../../../test/kit/world/transactions.ts'

const { clean, store, verdicts } = flagsKit()

const DAY = 144
const CANCUN = Math.ceil((1_710_338_135 - 1_700_000_000) / 600)
const make = (maker: string, contract: string, block: number, code: string): Tx =>
  act(maker, named('factory'), block, { do: 'create', contract: named(contract), code_hash: code })
const destroy = (maker: string, contract: string, block: number): Tx =>
  act(maker, named(contract), block, { do: 'destroy', contract: named(contract) })

test('a contract that returns with other code counts as redeployed; one with the same code, or without a destruction in between, does not', async () => {
  await insertRows(
    store(),
    rowsOf([
      make('morpher', 'morph', 1, '0xaa'),
      destroy('morpher', 'morph', 2),
      make('morpher', 'morph', 3, '0xbb'),
      // CREATE2 with the same code, as forwarders do.
      make('forwarder', 'forward', 1, '0xaa'),
      destroy('forwarder', 'forward', 2),
      make('forwarder', 'forward', 3, '0xaa'),
      // The code of the first creation is not known.
      make('blind', 'unseen', 1, ''),
      destroy('blind', 'unseen', 2),
      make('blind', 'unseen', 3, '0xbb'),
      // After Cancun a contract destroyed in a later transaction keeps its code, so a second creation can only be a misreading.
      make('late', 'stays', CANCUN + DAY, '0xaa'),
      destroy('late', 'stays', CANCUN + DAY + 1),
      make('late', 'stays', CANCUN + DAY + 2, '0xbb'),
      act(
        'flash',
        named('factory'),
        CANCUN + DAY,
        { do: 'create', contract: named('flick'), code_hash: '0xaa' },
        { do: 'destroy', contract: named('flick') },
      ),
      make('flash', 'flick', CANCUN + DAY + 5, '0xbb'),
    ]),
  )
  const [morpher, morph, flash] = await verdicts(named('morpher'), named('morph'), named('flash'))
  for (const scored of [morpher, morph, flash]) {
    expect(flagsOf(scored)).toEqual({ reinit: '1', data_source: 'redeployed-contract' })
  }
  expect(morpher!.reasons[0]).toMatchObject({
    code: 'REINIT',
    evidence: { contract: named('morph'), before: '0xaa', after: '0xbb', transactions: ['0x1-0', '0x2-0', '0x3-0'] },
  })
  await clean(...['forwarder', 'forward', 'blind', 'unseen', 'late', 'stays'].map(named))
})
