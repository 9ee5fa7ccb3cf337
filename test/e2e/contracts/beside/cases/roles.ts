/** Roles and owners that tables know. */
import { describe, expect, test } from 'vitest'
import { type BesideWorld, contracts, E18, head, pad, ZERO } from '../world.ts'

export const rolesHold = (world: BesideWorld): void => {
  const { insert, bodyOf, analysed } = world
  describe('roles', () => {
    const role = (contract: string, subject: string, event: 'role_grant' | 'role_revoke', position: number) =>
      insert('authority', {
        ...{ ...head, position, authority: contract, event, subject, actor: world.is().from },
        ...{ amount: '0', detail: `0x${'5e'.repeat(32)}` },
      })
    const shift = async (keeper: string) => {
      const token = await world
        .is()
        .lab.deploy(world.is().from, `${contracts.get('NightShift')?.creation ?? ''}${pad(keeper)}`)
      await world.is().lab.addLiquidity('ETH', world.is().from, token, 500_000n * E18, 20n * E18)
      return token
    }

    test('whoever was given a role before the logs of the node begin is tried as a caller', async () => {
      const keeper = (world.is().lab.accounts[3] ?? '').toLowerCase()
      const token = await shift(keeper)
      await role(token, keeper, 'role_grant', 9)
      const { body, told } = await analysed(token)
      expect(body.risk_indicators.is_mintable).toBe(1)
      expect(JSON.stringify(told)).toContain(keeper)
    })

    test('that an owner gave up is known from the tables, long after the logs of the node', async () => {
      const owned = async (before: string) => {
        const token = await world.is().lab.deploy(world.is().from, contracts.get('Deserted')?.creation ?? '')
        await world.is().lab.addLiquidity('ETH', world.is().from, token, 500_000n * E18, 20n * E18)
        await insert('authority', {
          ...{ ...head, position: 9, authority: token, event: 'owner_change', subject: ZERO, actor: world.is().from },
          ...{ amount: '0', detail: before },
        })
        return (await analysed(token)).body.risk_indicators.hidden_owner
      }
      expect([await owned(world.is().from), await owned(ZERO)]).toEqual([1, 0])
    })

    test('a role that was taken back, and one of another contract, prove nothing', async () => {
      const [keeper, other] = [world.is().lab.accounts[4], world.is().lab.accounts[5]].map((account) =>
        (account ?? '').toLowerCase(),
      )
      const token = await shift(keeper ?? '')
      await role(token, keeper ?? '', 'role_grant', 9)
      await role(token, keeper ?? '', 'role_revoke', 10)
      // Named by a log and without a key: the contract refuses.
      await role(token, other ?? '', 'role_grant', 11)
      await role(world.is().dollar, keeper ?? '', 'role_grant', 12)
      expect((await bodyOf(token)).risk_indicators.is_mintable).toBe(0)
    })
  })
}
