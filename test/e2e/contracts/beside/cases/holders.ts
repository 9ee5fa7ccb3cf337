/** Holders, those who sold, and the whole list of events. */
import { toFunctionSelector } from 'viem'
import { describe, expect, test } from 'vitest'
import { writeLabels } from '../../../../../scorer/ledger/labels/write.ts'
import { type BesideWorld, E18, head, LAUNCHPAD, now, pad, registry, whole, word, ZERO } from '../world.ts'

export const holdersHold = (world: BesideWorld): void => {
  const { list, insert, analysed, poolAgainst } = world
  describe('holders', () => {
    type Moved = { from: string; to: string; amount: bigint }
    let position = 100
    const remember = (token: string, moves: readonly Moved[]) =>
      insert(
        'ledger',
        ...moves.flatMap((move) => {
          const at = {
            ...head,
            position: String(position++),
            kind: 'fungible',
            asset: token,
            initiator: world.is().from,
          }
          const amount = String(move.amount)
          return [
            { ...at, address: move.from, counterparty: move.to, direction: -1, amount },
            { ...at, address: move.to, counterparty: move.from, direction: 1, amount },
          ]
        }),
      )
    const created = (contract: string, creator = world.is().from) =>
      insert('creations', {
        ...head,
        position: '3',
        contract,
        event: 'create',
        creator,
        root_creator: world.is().from,
        code_hash: '',
        code_size: 1,
      })
    const minted = { from: ZERO, to: '', amount: 1_000_000n * E18 }
    /** A listed token whose every transfer is remembered, with three buyers. */
    const lived = async (moves: readonly Moved[] = []) => {
      const { token, pair } = await list('Impersonal')
      const buyers = world
        .is()
        .lab.accounts.slice(1, 4)
        .map((who) => who.toLowerCase())
      const paid = buyers.map((to, i) => ({ from: world.is().from, to, amount: BigInt(3 - i) * 1_000n * E18 }))
      for (const { to, amount } of paid)
        await world.is().lab.send({ from: world.is().from, to: token, data: `0xa9059cbb${pad(to)}${word(amount)}` })
      await remember(token, [
        { ...minted, to: world.is().from },
        { from: world.is().from, to: pair, amount: 500_000n * E18 },
        ...paid,
        ...moves,
      ])
      return { token, pair, buyers }
    }
    const holdersOf = async (token: string) => (await analysed(token)).told.holders

    test('of a token whose whole life is in the tables are counted, the largest named with what is known of them', async () => {
      const { token, pair, buyers } = await lived()
      await created(token)
      const found = {
        network: 'ETH',
        address: buyers[1]!,
        label: 'phishing',
        detector: 't',
        class: 'detected',
      } as const
      await writeLabels(world.store(), [
        {
          ...found,
          confidence: 0.95,
          detector_version: '1',
          evidence: {},
          tx_hash: '',
          block_number: 1,
          revoked: false,
          foundAt: 1,
        },
      ])
      const { told } = await analysed(token)
      // The creator is an insider, and a pool sells nothing.
      expect(told.holderSales).toMatchObject({
        ...{ tried: 3, failed: 0, siphoned: 0, tax: { lowest: 0, median: 0, highest: 0 }, why: null },
        emptied: { compared: 5, holders: 0, why: null },
      })
      expect(told.walletTransfer).toEqual({ outcome: 'accepted', tax: 0, why: null })
      expect(told.insiders).toEqual({
        ...{ owner: null, creator: { address: world.is().from, amount: '494000', share: 0.494 }, why: null },
      })
      // Of the pair's shares a thousand are nobody's, and the rest were given to whoever made it.
      expect(told.liquidityHolders).toEqual({
        top: [{ address: world.is().from, share: 1, contract: false, tags: ['creator'], locks: [] }],
        why: null,
      })
      expect(told.pools).toMatchObject([{ pairAddress: pair, design: 'v2', liquidity: '20' }])
      expect(told.labels).toEqual([])
      expect(told.holders).toEqual({
        count: 5,
        top: [
          { address: pair, amount: '500000', share: 0.5, contract: true, tags: ['pool'], locks: [] },
          { address: world.is().from, amount: '494000', share: 0.494, contract: false, tags: ['creator'], locks: [] },
          { address: buyers[0], amount: '3000', share: 0.003, contract: false, tags: [], locks: [] },
          { address: buyers[1], amount: '2000', share: 0.002, contract: false, tags: ['label: phishing'], locks: [] },
          { address: buyers[2], amount: '1000', share: 0.001, contract: false, tags: [], locks: [] },
        ].sort((a, b) => b.share - a.share),
        why: null,
      })
    })

    test('are unknown where its creation is not in the tables, or blocks since then are missing', async () => {
      const { token } = await lived()
      expect(await holdersOf(token)).toEqual({ count: null, top: [], why: 'its creation is not in the tables' })
      await created(token)
      await insert('covered_ranges', {
        epoch: 1,
        slot: 2,
        first_block: 1_000_002,
        last_block: 1_000_009,
        claimed_by: '',
        version: 2,
      })
      expect(await holdersOf(token)).toEqual({
        count: null,
        top: [],
        why: 'blocks since its creation are missing from the tables',
      })
      await insert('covered_ranges', {
        epoch: 1,
        slot: 2,
        first_block: 0,
        last_block: 0,
        claimed_by: '',
        version: 3,
        is_deleted: 1,
      })
      expect((await holdersOf(token)).count).toBe(5)
    })

    test('are unknown of a token that announces transfers which never happened, or made coins in silence', async () => {
      const strangers = Array.from({ length: 200 }, (_, i) => `0x${(i + 1).toString(16).padStart(40, 'c')}`)
      const { token } = await lived(strangers.map((to) => ({ from: world.is().from, to, amount: E18 })))
      await created(token)
      const { told } = await analysed(token)
      expect(told.holders.why).toBe('balances differ from what transfers show')
      // Of the ten that hold most and thirty more, those who were announced a coin have none.
      const { compared, holders } = told.holderSales.emptied
      expect(compared).toBeLessThanOrEqual(40)
      expect(holders).toBeGreaterThanOrEqual((compared ?? 0) - 5)
      const { token: silent } = await list('Impersonal')
      await created(silent)
      await remember(silent, [{ from: world.is().from, to: world.is().lab.accounts[1]!.toLowerCase(), amount: E18 }])
      expect((await holdersOf(silent)).why).toBe('transfers in the tables do not add up to the supply')
    })

    test('whose sales are siphoned off are counted apart from those who are refused, with the spread of taxes', async () => {
      const { token, pair } = await list('PersonalTax')
      await world.is().lab.send({ from: world.is().from, to: token, data: `0x4437152a${pad(pair)}` })
      const [ann = '', bob = '', cid = ''] = world
        .is()
        .lab.accounts.slice(1, 4)
        .map((who) => who.toLowerCase())
      for (const to of [ann, bob, cid])
        await world
          .is()
          .lab.send({ from: world.is().from, to: token, data: `0xa9059cbb${pad(to)}${word(1_000n * E18)}` })
      await remember(
        token,
        [ann, bob, cid].map((to) => ({ from: world.is().from, to, amount: 1_000n * E18 })),
      )
      const taxed = (who: string, percent: bigint) =>
        world.is().lab.send({
          from: world.is().from,
          to: token,
          data: `${toFunctionSelector('thank(address,uint256)')}${pad(who)}${word(percent)}`,
        })
      await taxed(bob, 20n)
      await taxed(cid, 95n)
      const { tried, failed, siphoned, tax, why } = (await analysed(token)).told.holderSales
      expect({ tried, failed, siphoned, tax, why }).toEqual({
        ...{ tried: 3, failed: 0, siphoned: 1, tax: { lowest: 0, median: 20, highest: 95 }, why: null },
      })
    })

    test('whose tokens were taken without a transfer are counted, not those who sent them away since', async () => {
      const { token, buyers } = await lived()
      await created(token)
      // The tables know of nothing that happens now: the first buyer sends all away, the second is robbed.
      await world
        .is()
        .lab.send({ from: buyers[0]!, to: token, data: `0xa9059cbb${pad(world.is().from)}${word(3_000n * E18)}` })
      const [slot] = (
        await world
          .is()
          .lab.ask<{ accessList: { storageKeys: string[] }[] }>(
            'eth_createAccessList',
            { to: token, data: `0x70a08231${pad(buyers[1]!)}` },
            'latest',
          )
      ).accessList.flatMap(({ storageKeys }) => storageKeys)
      await world.is().lab.ask('anvil_setStorageAt', token, slot, `0x${word(0n)}`)
      expect((await analysed(token)).told.holderSales.emptied).toEqual({ compared: 5, holders: 1, why: null })
    })

    test('that sold lately are counted, insiders and purchases apart, in blocks that the tables have', async () => {
      const { token, pair, buyers } = await lived()
      const first = token < registry.wrappedNative
      const swap = (initiator: string, sold: bigint, at: number, pool = pair) => ({
        ...{ ...head, block_number: at, block_time: now - 1_000 + at, position: String(at * 1_000 + ++position) },
        ...{ pool, initiator, sender: initiator, recipient: initiator },
        ...{ amount0: String(first ? sold : -sold), amount1: String(first ? -sold : sold) },
      })
      const [ann = '', bob = ''] = buyers
      await insert(
        'swaps',
        ...[swap(ann, 5n, 2), swap(ann, 6n, 4), swap(bob, 7n, 4), swap(bob, -7n, 4), swap(world.is().from, 9n, 4)],
        // Before the blocks without a gap, and of another pool.
        ...[swap(buyers[2]!, 5n, 1), swap(buyers[2]!, 5n, 4, `0x${'ed'.repeat(20)}`)],
      )
      const recent = async () => (await analysed(token)).told.holderSales.recent
      const why = 'the newest blocks are not in the tables'
      expect(await recent()).toEqual({ sellers: null, sales: null, from: null, to: null, why })
      const block = (number: number) => ({ block_number: number, block_time: now - 1_000 + number })
      await insert('blocks', block(1), block(2), block(3), block(4))
      await insert('covered_ranges', { ...whole, first_block: 2, version: 4 })
      const told = await recent()
      await insert('covered_ranges', { ...whole, version: 5 })
      const timeOf = (at: number) => new Date(1_000 * (now - 1_000 + at)).toISOString()
      expect(told).toEqual({ sellers: 2, sales: 3, from: timeOf(2), to: timeOf(4), why: null })
    })

    test('a launchpad that created the token is named, and conceals nobody', async () => {
      const { token } = await lived()
      await created(token, LAUNCHPAD)
      const { told } = await analysed(token)
      expect(told.launchpad).toEqual({ name: 'pad.test', why: null, curve: { stage: 'none', why: null } })
      expect(told.reasons.map(({ code }) => code)).not.toContain('deploy_obfuscation')
    })

    test('events of all pools are listed from the first, and it is stated when some are missing', async () => {
      const { token, pair } = await lived()
      const other = `0x${'e'.repeat(40)}`
      const base = String(10n ** 19n)
      const [amount0, amount1] = token < registry.wrappedNative ? ['1', base] : [base, '1']
      const event = {
        ...head,
        position: '4',
        pool: pair,
        event: 'add',
        provider: world.is().from,
        owner: world.is().from,
        amount0,
        amount1,
        liquidity: '0',
      }
      await insert('liquidity', event, {
        ...event,
        position: '8',
        event: 'remove',
        block_time: now - 3_600,
        tx_hash: '0x02',
        provider: other,
      })
      const beside = await poolAgainst(token, world.is().asset)
      const [low, high] = token < world.is().asset ? ['1', String(3n * E18)] : [String(3n * E18), '1']
      const later = { position: '7', block_time: now - 7_200, tx_hash: '0x03' }
      await insert('liquidity', { ...event, ...later, pool: beside, amount0: low, amount1: high })
      const first = await analysed(token)
      expect(first.body.liquidityEvent.map(({ tx_hash, amount, token }) => [tx_hash, amount, token])).toEqual([
        ['0x02', 10, 'weth'],
        ['0x03', 3, 'ast'],
        ['0x01', 10, 'weth'],
      ])
      expect(first.told.liquidityEvents).toMatchObject({
        complete: false,
        why: expect.stringContaining('its creation'),
      })
      await created(token)
      expect((await analysed(token)).told.liquidityEvents).toEqual({ complete: true, why: null })
    })
  })
}
