/** Attempts to frame: what others do to, around or in the name of an honest wallet makes no criminal of it. */
import { test } from 'vitest'
import { crowd, ETH, flagsKit, life, MILLION, move, pay, token } from '../../../../test/contract/scoring/flags.kit.ts'

const { clean, happened } = flagsKit()
const DOLLAR = 10n ** 6n

test('parts of a few dollars, however shared, make nobody an operator or an affiliate', async () => {
  const puppets = crowd('v', 4)
  const trifle = 10n * DOLLAR
  await happened(
    puppets.flatMap((v, n) => [
      token(`bank-${v}`, 1, move(`bank-${v}`, v, trifle)),
      pay(`pal-${v}`, v, 1, ETH),
      pay(v, `pal-${v}`, 2, ETH / 10n),
      token('framer', 20 + n, move(v, 'bystander', trifle / 5n), move(v, `friend${n % 2}`, (trifle * 4n) / 5n)),
    ]),
    // A true operator, beside whom a trifle makes no affiliate either.
    crowd('w', 3).flatMap((w, n) => [
      ...life(w, 30),
      token('runner', 40 + n, move(w, 'boss', MILLION / 5n), move(w, `aff${n % 2}`, (MILLION * 4n) / 5n)),
    ]),
    crowd('u', 3).flatMap((u, n) => [
      token(`bank-${u}`, 50, move(`bank-${u}`, u, trifle)),
      pay(`pal-${u}`, u, 50, ETH),
      pay(u, `pal-${u}`, 51, ETH / 10n),
      token('framer', 60 + n, move(u, 'boss', trifle / 5n), move(u, 'neighbour', (trifle * 4n) / 5n)),
    ]),
  )
  await clean('bystander', 'friend0', 'friend1', 'neighbour')
})
