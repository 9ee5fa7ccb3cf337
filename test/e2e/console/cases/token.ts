/** The page of a token or contract. */
import { expect, test } from 'vitest'
import type { ConsoleKit } from '../kit.ts'
import { LISTED, SIBLING, TOKEN } from '../world.ts'

export const tokenHolds = ({ world, signedIn }: ConsoleKit): void => {
  test('a token shows what it can do in three states, and its liquidity over time', async () => {
    const { page, faults, close } = await signedIn({}, `/console/ETH/${TOKEN}/token`)
    const { body } = await world().ask('/rug/pull-check', { network: 'ETH', walletAddress: TOKEN })
    const verdict = page.locator('#verdict')
    expect(await verdict.locator('.probability').innerText()).toBe(String(body.probabilityFraud))
    expect(await verdict.innerText()).toContain(`Risk score ${body.risk_score} (${body.risk_status})`)
    expect(await verdict.locator('.unseen-character').allInnerTexts()).toEqual(['U+202E', 'U+200B'])
    const powers = page.getByRole('region', { name: 'What the contract and its owner can do' })
    expect(await powers.getByRole('row', { name: /^Is honeypot/ }).innerText()).toMatch(
      /unknown\s+no market to trade on/,
    )
    expect(await powers.getByRole('row', { name: /^Is proxy/ }).innerText()).toMatch(/no\s*$/)
    expect(await page.getByRole('region', { name: 'Reasons of the risk score' }).innerText()).toContain('44')
    // Closed by default, so there is no text that is seen.
    const why = page.getByRole('region', { name: 'Reasons of the probability' }).locator('.evidence')
    expect(await why.textContent()).toContain('amount1.6 WETH')
    expect(await page.getByRole('region', { name: 'Liquidity events' }).innerText()).toContain('1.6')
    const siblings = page.getByRole('region', { name: 'Other contracts of its creator, newest first' })
    await siblings.waitFor()
    expect(await siblings.locator('tbody tr').count()).toBe(1)
    expect(await siblings.locator('tbody tr').innerText()).toMatch(
      new RegExp(`^${SIBLING} Check\\s.*the same as here\\s+not analysed$`, 's'),
    )
    expect(await page.locator('section[aria-labelledby=creator]').innerText()).toContain(
      '2 contracts go back to its creator',
    )
    // One removal: below the line, as high as the largest.
    const bars = await page
      .locator('.timeline rect')
      .evaluateAll((all) => all.map((bar) => ['y', 'height'].map((name) => bar.getAttribute(name))))
    expect(bars).toEqual([['50', '50']])
    expect(faults).toEqual([])
    await close()
  })

  test('a token whose verdict is not explained is shown without pretending that its noes are known', async () => {
    const { page, close } = await signedIn({}, `/console/ETH/${LISTED}/token`)
    await page.getByRole('alert').waitFor()
    expect(await page.locator('#main').innerText()).toContain('a "no" may mean that it could not be checked')
    await close()
  })
}
