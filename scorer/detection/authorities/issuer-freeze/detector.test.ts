import { expect, test } from 'vitest'
import { tronFromEvm } from '../../../../schema/address/index.ts'
import { ISSUERS, SANCTIONS_ORACLES } from '../../../../schema/registry/authorities.ts'
import { act, flagsKit, flagsOf, NOW, pay } from '../../../../test/contract/scoring/flags.kit.ts'
import { insertRows, named, rowsOf, type Tx } from '../../../../test/kit/world/transactions.ts'

const { happened, judge, score, store } = flagsKit()
const ORACLE = [...SANCTIONS_ORACLES.ETH.keys()][0]!
const TETHER = '0xdac17f958d2ee523a2206206994597c13d831ec7'

const authority = (
  event: 'sanction_add' | 'sanction_remove' | 'freeze' | 'unfreeze',
  subject: string,
  block: number,
): Tx =>
  act('boss', event.startsWith('sanction') ? ORACLE : TETHER, block, {
    do: 'authority',
    authority: event.startsWith('sanction') ? ORACLE : TETHER,
    event,
    subject: named(subject),
  })

test('a frozen address is blacklisted until it is released', async () => {
  await happened(
    pay('ice', 'x', 1),
    pay('thaw', 'x', 1),
    authority('freeze', 'ice', 2),
    authority('freeze', 'thaw', 2),
    authority('unfreeze', 'thaw', 9),
  )
  const scored = await score(['ice', 'thaw'])
  expect(flagsOf(scored.get('ice'))).toEqual({ blacklist_doubt: '1', data_source: 'issuer-freeze' })
  expect(flagsOf(scored.get('thaw'))).toEqual({})
  expect(scored.get('thaw')!.status).toBe('New Address')
})

/** Freezes, seizures and releases stated by a stranger's token, before and after those of the issuer. */
const claims = (issuer: string, frozen: string, honest: string): Tx[] =>
  [2, 20].map((block) =>
    act(
      'liar',
      'lie',
      block,
      { do: 'authority', authority: named('lie'), event: 'freeze', subject: honest },
      { do: 'authority', authority: named('lie'), event: 'seize', subject: honest, amount: 10n ** 9n },
      { do: 'authority', authority: named('lie'), event: 'unfreeze', subject: frozen },
      // A caller of the issuer's contract is not the issuer: only the issuer's own events count.
      { do: 'token', from: honest, to: named('liar'), asset: issuer, amount: 0n },
    ),
  )

test('only registered issuers freeze and release: events of other tokens accuse and clear nobody', async () => {
  await happened(
    pay('ice', 'x', 1),
    pay('honest', 'x', 1),
    authority('freeze', 'ice', 10),
    claims(TETHER, named('ice'), named('honest')),
  )
  const scored = await score(['ice', 'honest', 'liar'])
  expect(flagsOf(scored.get('ice'))).toEqual({ blacklist_doubt: '1', data_source: 'issuer-freeze' })
  for (const name of ['honest', 'liar']) expect(flagsOf(scored.get(name)), name).toEqual({})
})

test('freezes work on TRON too, where addresses have another format', async () => {
  const tron = (name: string) => tronFromEvm(named(name))
  const [usdt = ''] = ISSUERS.TRON.keys()
  const freeze: Tx = act('boss', usdt, 10, { do: 'authority', authority: usdt, event: 'freeze', subject: tron('ice') })
  const rows = rowsOf(
    [
      { ...freeze, from: tron('boss') },
      ...['ice', 'honest'].map((who) => ({ ...pay(who, 'x', 1), from: tron(who), to: tron('x') })),
    ],
    { network: 'TRON' },
  )
  const lies = rowsOf(
    claims(usdt, tron('ice'), tron('honest')).map((tx) => ({
      ...tx,
      from: tron('liar'),
      to: tron('lie'),
      actions: tx.actions!.map((action) =>
        action.do === 'authority' ? { ...action, authority: tron('lie') } : { ...action, to: tron('liar') },
      ),
    })),
    { network: 'TRON', from: 10 ** 6 },
  )
  await insertRows(store(), rows)
  await insertRows(store(), lies)
  const verdicts = await judge().rescore('TRON', ['ice', 'honest', 'liar'].map(tron), NOW)
  expect(verdicts.map(flagsOf)).toEqual([{ blacklist_doubt: '1', data_source: 'issuer-freeze' }, {}, {}])
})
