/** Contracts of equal code, and analyses of earlier versions. */
import { describe, expect, test } from 'vitest'
import { factsUnknown } from '../../../../../schema/records/explained/token-facts.ts'
import { writeLabels } from '../../../../../scorer/ledger/labels/write.ts'
import type { BesideWorld } from '../world.ts'

export const equalCodeHolds = (world: BesideWorld): void => {
  const { list, insert, explained, analysed } = world
  describe('equal code', () => {
    const accuse = (address: string, more: { class?: string; revoked?: boolean; foundAt: number }) =>
      writeLabels(world.store(), [
        {
          ...{
            network: 'ETH' as const,
            address,
            label: 'honeypot',
            detector: 'honeypot-simulation',
            detector_version: '1',
          },
          ...{
            class: 'detected',
            confidence: 0.95,
            evidence: {},
            tx_hash: '',
            block_number: 1,
            revoked: false,
            ...more,
          },
        } as Parameters<typeof writeLabels>[1][number],
      ])

    test('that was proved to be a trap is stated while it stands accused, and changes no score', async () => {
      const [trap, twin] = [(await list('ClosesByTime')).token, (await list('ClosesByTime')).token]
      const before = (await analysed(trap)) && (await analysed(twin))
      expect(before.told.similarCode).toMatchObject({ traps: 0, analysed: 1, why: null })
      await accuse(trap, { foundAt: 1 })
      const after = await analysed(twin)
      expect(after.told.similarCode).toEqual({
        ...{ analysed: 1, traps: 1, why: null },
        examples: [{ chain: 'ETH', contractAddress: trap }],
      })
      const { lastChecked: _, createdAt: __, ...body } = after.body
      expect(before.body).toMatchObject(body)
      expect((await explained(trap)).similarCode.traps).toBe(0)
      await accuse(trap, { foundAt: 2, revoked: true })
      expect((await explained(twin)).similarCode).toMatchObject({ traps: 0, examples: [] })
      // What a list reports is nobody's proof.
      await accuse(trap, { foundAt: 3, class: 'reported' })
      expect((await explained(twin)).similarCode.traps).toBe(0)
    })

    test('is not compared where code says nothing: proxies and stubs', async () => {
      const stub = await world.is().lab.deploy(world.is().from, '0x6005600c60003960056000f3600160005260206000f3')
      await world.is().records.compute('ETH', stub)
      expect((await explained(stub)).similarCode).toEqual({
        ...{ analysed: null, traps: null, examples: [], why: 'the code is too short to compare' },
      })
    })

    test('an analysis of an earlier version has nothing to show, and states it', async () => {
      const old = {
        address: `0x${'0d'.repeat(20)}`,
        version: 1,
        token: '',
        status: 'Fraud',
        body: '{}',
        model_version: 'm',
      }
      await insert('contract_records', {
        ...old,
        reasons: '{"risk":[],"fraud":[]}',
        unknowns: '{}',
        family_hash: '0x01',
      })
      const { holders, similarCode, launchpad, simulation, walletTransfer } = await explained(old.address)
      for (const { why } of [holders, similarCode, launchpad, simulation, walletTransfer])
        expect(why).toBe('it was analysed by an earlier version')
      expect(launchpad.curve).toEqual({ stage: null, why: 'it was analysed by an earlier version' })
      // One that stored other facts, but no trades and no curve yet.
      const { curve: _curve, ...pad } = factsUnknown('of then').launchpad
      const facts = { ...factsUnknown('of then'), simulation: undefined, walletTransfer: undefined, launchpad: pad }
      await insert('contract_records', {
        ...{ ...old, version: 2, reasons: '{"risk":[],"fraud":[]}', unknowns: '{}', facts: JSON.stringify(facts) },
      })
      const later = await explained(old.address)
      const { launchpad: then } = later
      const earlier = 'it was analysed by an earlier version'
      const told = [then.why, then.curve.why, later.simulation.why, later.walletTransfer.why]
      expect(told).toEqual(['of then', earlier, earlier, earlier])
    })
  })
}
