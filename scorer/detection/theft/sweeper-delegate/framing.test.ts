/** Attempts to frame: acts of others towards an honest wallet, or in its name, do not convict it. */
import { test } from 'vitest'
import { act, coin, crowd, ETH, flagsKit, life, pay } from '../../../../test/contract/scoring/flags.kit.ts'
import { named, type Tx } from '../../../../test/kit/world/transactions.ts'

const { clean, happened } = flagsKit()

test('a receiver of trifles from accounts that forward everything is no sweeper', async () => {
  const puppets = crowd('v', 22)
  const delegates = (name: string): Tx =>
    act('framer', name, 30, { do: 'delegate', authority: named(name), delegate: named('forward') })
  await happened(
    act('framer', '', 1, { do: 'create', contract: named('forward'), code_hash: '0xfeed' }),
    life('charity', 2),
    puppets.flatMap((v, n) => [
      ...life(v, 2),
      delegates(v),
      { ...pay('framer', v, 40 + n, ETH / 1000n), actions: [coin(v, 'charity', ETH / 1000n)] },
    ]),
  )
  await clean('charity')
})
