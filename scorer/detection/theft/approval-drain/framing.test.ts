/** Attempts to frame: acts of others towards an honest wallet, or in its name, do not convict it. */
import { test } from 'vitest'
import {
  act,
  approve,
  coin,
  crowd,
  ETH,
  flagsKit,
  life,
  MILLION,
  move,
} from '../../../../test/contract/scoring/flags.kit.ts'
import { named } from '../../../../test/kit/world/transactions.ts'

const { clean, happened } = flagsKit()

test('the maker of a contract through which others robbed its users is no thief', async () => {
  const users = crowd('u', 4)
  await happened(
    act('builder', '', 1, { do: 'create', contract: named('router') }),
    users.flatMap((u, n) => [
      ...life(u, 2),
      approve(u, 'router', 10 + n),
      // They use it themselves, as its customers.
      act(u, 'router', 20 + n, move(u, 'pair', 1000n), coin('pair', u, ETH)),
      act('attacker', 'router', 40 + n, move(u, 'attacker', MILLION - 1000n)),
    ]),
  )
  await clean('builder', 'router')
})
