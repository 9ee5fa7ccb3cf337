/** Verdicts rest on what wallets did: not on how they are spelt, when it was, who else is there, or who is asked about with them. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createModel } from '../../../deploy/roles/model.ts'
import { systemClock } from '../../../platform/context/clock.ts'
import { createRescore } from '../../../scorer/rescore/rescore.ts'
import { writeLogsRead } from '../../kit/labels/authority-logs.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'
import { sized, THOROUGH } from '../../kit/thorough.ts'
import { NETWORK } from '../../lab/population/chain.ts'
import type { Spec } from '../../lab/population/population.ts'
import { createRng } from '../../lab/population/rng.ts'
import type { Finding } from '../../lab/population/tally.ts'
import { type Changes, relabelling, transformed } from '../../lab/population/transformation.ts'
import { END } from '../../lab/population/world.ts'
import { measureFlags } from '../../lab/wallets/flags.ts'

const SEEDS = Array.from({ length: sized(1, 200) }, (_, n) => 47 + n)
/** By night enough honest people for every seed: exchanges alone are up to 160 wallets. */
const specOf = (seed: number): Spec => ({ wallets: sized(200, 320), bad: sized(0.45, 0.3), seed })

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
beforeEach(() => kit.truncate())
afterAll(() => kit.close())

/** What a verdict says of a wallet. Sums of floating point end in other digits when they are added in another order. */
const said = ({ flags, codes, probability, status, unknowns }: Finding) => ({
  ...{ flags, status, probability: probability.toFixed(6) },
  ...{ codes: [...codes].sort(), unknowns: [...unknowns].sort() },
})
const saidOf = (findings: readonly Finding[]) =>
  new Map(findings.map((finding) => [`${finding.member.role} ${finding.member.address}`, said(finding)]))

const retold = async (seed: number, changes: Changes) => {
  await kit.truncate()
  // Who is seen on a network may be listed there.
  if (changes.beside) await writeLogsRead(kit.store, changes.beside.network)
  let moved = 0
  const told = transformed(changes, (count) => {
    moved += count
  })
  const { findings } = await measureFlags(kit.store, kit.metrics, specOf(seed), 0, told)
  return { findings, moved }
}

/** Together by day; each by itself at night, so that a failure names what made the difference. */
const changesOf = (seed: number, members: readonly string[]): [string, Changes][] => {
  const rng = createRng(seed)
  const address = relabelling(rng)
  // Everybody plays somebody else's part there.
  const parts = new Map(members.map((member, nth) => [member, members[(nth + 37) % members.length] ?? member]))
  const beside = { network: 'BNB', address: (one: string) => parts.get(one) ?? one } as const
  const days = rng.whole(1, 400)
  const all = { address, days, reorder: true, beside }
  return THOROUGH
    ? [
        ['other addresses', { address }],
        [`${days} days later`, { days }],
        ['another order', { reorder: true }],
        ['another network beside it', { beside }],
      ]
    : [['all of it', all]]
}

test(
  'verdicts are the same under other names, on other days, in another order, beside another network, and in any company',
  async () => {
    let reordered = 0
    for (const seed of SEEDS) {
      await kit.truncate()
      const { findings } = await measureFlags(kit.store, kit.metrics, specOf(seed))
      expect(findings.filter(({ flags }) => flags.length > 0).length, `seed ${seed}`).toBeGreaterThan(10)
      await expectSameInAnyCompany(findings, seed)
      const before = saidOf(findings)
      const members = findings.map(({ member }) => member.address)
      for (const [what, changes] of changesOf(seed, members)) {
        const { findings: now, moved } = await retold(seed, changes)
        reordered += moved
        const others = [...saidOf(now)].flatMap(([who, one]) =>
          JSON.stringify(one) === JSON.stringify(before.get(who))
            ? []
            : [`${who} was ${JSON.stringify(before.get(who))}, is ${JSON.stringify(one)}`],
        )
        expect({ others, count: now.length }, `seed ${seed}: ${what}`).toEqual({ others: [], count: before.size })
      }
    }
    expect(reordered).toBeGreaterThan(20)
  },
  sized(120_000, 7_200_000),
)

/** Alone, in batches of five whose four others are thieves, and all at once: byte for byte. */
const expectSameInAnyCompany = async (findings: readonly Finding[], seed: number) => {
  const { rescore } = createRescore({
    context: { metrics: kit.metrics, clock: systemClock },
    store: kit.store,
    model: createModel(),
  })
  const ask = async (addresses: readonly string[]) =>
    (await rescore(NETWORK, addresses, END * 1_000)).map(
      ({ address, body, reasons, unknowns }) => [address, { body, reasons, unknowns }] as const,
    )
  const guilty = findings.filter(({ flags }) => flags.length > 0).map(({ member }) => member.address)
  const others = findings.filter(({ flags }) => flags.length === 0).map(({ member }) => member.address)
  const together = new Map(await ask(findings.map(({ member }) => member.address)))
  const few = [...guilty, ...others].filter((_, nth) => nth % sized(60, 20) === 0)
  for (const [nth, address] of few.entries()) {
    const company = Array.from({ length: 4 }, (_, n) => guilty[(4 * nth + n) % guilty.length] ?? address)
    const batch = [...new Set([...company, address])]
    for (const asked of [batch, [address]]) {
      const answers = new Map(await ask(asked))
      for (const one of asked) expect(answers.get(one), `seed ${seed}: ${one} in ${asked}`).toEqual(together.get(one))
    }
  }
}
