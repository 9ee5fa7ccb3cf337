/** From search to a wallet, and what is not found. */
import { expect, test } from 'vitest'
import { LISTED, TRADER } from '../actors.ts'
import { type ConsoleKit, SOON, WALLET } from '../kit.ts'

export const searchHolds = ({ signedIn, explained }: ConsoleKit): void => {
  test('from search to report by keyboard, with every number from the API', async () => {
    const { page, faults, close } = await signedIn({}, '/console/status')
    await page.keyboard.press('/')
    await page.keyboard.type(`https://etherscan.io/address/${TRADER}#code`)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${WALLET}`)
    const verdict = page.locator('#verdict')
    await verdict.waitFor()
    const told = await explained(TRADER)
    await expect.poll(() => verdict.innerText(), SOON).toContain(told.status)
    expect(await verdict.locator('.probability').innerText()).toBe(told.probabilityFraud)
    expect(await verdict.innerText()).toContain(`block ${told.dataHeight}`)
    // Each reason, its weight, and where the steps lead.
    const rows = await page.getByRole('region', { name: 'Reasons by weight' }).locator('tbody tr').allInnerTexts()
    expect(rows).toHaveLength(told.reasons.length + 1)
    for (const [nth, { title, contribution }] of told.reasons.entries()) {
      expect(rows[nth + 1]).toContain(title)
      expect(rows[nth + 1]).toContain(contribution.toFixed(2))
    }
    expect(rows.at(-1)?.split('\t').at(-1)).toBe(Number(told.probabilityFraud).toPrecision(2))
    const bars = await page
      .locator('.bar rect')
      .evaluateAll((all) => all.map((rect) => ['x', 'width'].map((side) => Number(rect.getAttribute(side)))))
    for (const [x = -1, width = -1] of bars) expect(x >= 0 && width > 0 && x + width <= 100.5).toBe(true)
    // Flags: 18 of them, every unknown with its reason.
    const flags = await page.getByRole('region', { name: 'Flags by state' }).locator('tbody tr').allInnerTexts()
    expect(flags).toHaveLength(18)
    for (const unknown of told.unknowns) {
      const [, flag = '', why = ''] = /^(\w+): (.*)$/s.exec(unknown) ?? []
      expect(flags.find((row) => row.toLowerCase().startsWith(flag.replaceAll('_', ' ')))).toContain(why)
    }
    // Exposure, both directions.
    const exposure = await page.getByRole('region', { name: 'Exposure by category' }).innerText()
    for (const share of Object.values<number>(told.exposure.incoming.shares))
      if (share > 0) expect(exposure).toContain(`${(share * 100).toFixed(1)} %`)
    const distances = await page.getByRole('region', { name: 'Direct and indirect exposure' }).innerText()
    expect(told.exposure.incoming.categories.length).toBeGreaterThan(0)
    for (const { direct } of told.exposure.incoming.categories) expect(distances).toContain(direct.usd)
    const gaps = await page.locator('section[aria-labelledby=gaps] .gaps').innerText()
    expect(gaps).toContain('Blocks before 100 are not stored.')
    expect(gaps).toContain('logs are being read')
    const unknown = flags.filter((row) => row.includes('? unknown')).length
    expect(unknown).toBeGreaterThan(0)
    expect(gaps).toContain(`${unknown} of 18 flags could not be fully checked`)
    expect(faults).toEqual([])
    await close()
  })

  test('several lines are looked up together, and invalid lines give a reason', async () => {
    const { page, faults, close } = await signedIn({}, `/console/?q=${TRADER}%0A${LISTED}%0A0x12`)
    const rows = await page.getByRole('region', { name: 'Verdicts' }).locator('tbody tr').allInnerTexts()
    expect(rows).toHaveLength(2)
    expect(rows.find((row) => row.includes(LISTED))).toContain('1.00')
    expect(
      await page
        .getByRole('region', { name: 'Without a verdict' })
        .or(page.locator('section').filter({ hasText: 'Without a verdict' }))
        .first()
        .innerText(),
    ).toContain('expected 0x followed by 40 hexadecimal digits')
    expect(faults).toEqual([])
    await close()
  })

  test('unseen address, refusal and silent server have different messages, each with a remedy', async () => {
    const { page, close } = await signedIn({}, `/console/ETH/0x${'de'.repeat(20)}`)
    await page.getByRole('alert').getByText('No activity found').waitFor()
    await page.route('**/fraud/check', (route) =>
      route.fulfill({
        status: 503,
        headers: { 'retry-after': '7' },
        json: { message: 'ETH catches up.', error: 'CATCHING_UP', details: [] },
      }),
    )
    await page.goto(WALLET)
    await page.getByRole('alert').getByText('Wait 7 s.').waitFor()
    await page.unroute('**/fraud/check')
    await page.route('**/fraud/check', (route) => route.abort())
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').getByText('The server did not answer').waitFor()
    await page.unroute('**/fraud/check')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('#verdict').waitFor()
    await close()
  })
}
