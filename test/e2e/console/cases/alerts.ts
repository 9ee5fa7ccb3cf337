/** Alerts: what an analyst does with one, what two do at once, and texts that were written to break the page. */
import { expect, test } from 'vitest'
import { ALERT, HOSTILE_NAME, LISTED } from '../actors.ts'
import { type ConsoleKit, found, SOON, textOf } from '../kit.ts'

const HOSTILE_COMMENT = `=HYPERLINK("https://evil.example","${HOSTILE_NAME}")`

export const alertsHold = ({ world, signedIn }: ConsoleKit): void => {
  const change = (id: string, payload: object) => world().ask(`/alerts/${id}`, payload)

  test('an alert is found, reviewed, commented, closed and reopened by keyboard alone, and says who did what', async () => {
    const [id = ''] = await world().alert([50])
    const { page, faults, close } = await signedIn({}, '/console/status')
    await page.keyboard.press('g')
    await page.keyboard.press('a')
    await page.getByRole('heading', { name: 'Alerts', exact: true }).waitFor()
    const at = `/console/alerts?alert=${id}`
    const focused = () => page.evaluate<string | null>("document.activeElement.getAttribute('href')")
    await page.locator(`a[href="${at}"]`).waitFor()
    for (let nth = 0; nth < 60 && (await focused()) !== at; nth++) await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Alert on' }).waitFor()
    const state = page.locator('#main dd').first()
    expect(await state.innerText()).toMatch(/^Open since 20/)
    const form = page.locator('form.alert')
    await form.getByLabel('Do').focus()
    await page.keyboard.type('Under')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Asked the customer.')
    await page.keyboard.press('Tab')
    await page.keyboard.type('M. Berger')
    await page.keyboard.press('Enter')
    await expect.poll(() => state.innerText(), SOON).toMatch(/^Under review since/)
    const rows = page.getByRole('region', { name: 'What was done with it, newest first' }).locator('tbody tr')
    expect(await rows.first().innerText()).toMatch(
      /UTC\tM\. Berger key key_enterprise\tUnder review\tAsked the customer\.$/,
    )
    // The name stays for the next entry; nothing of it is stored.
    expect(await form.getByLabel(/^Your name/).inputValue()).toBe('M. Berger')
    expect(await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]')).toEqual(['', 0, 0])
    await form.getByLabel('Do').selectOption('closed')
    await form.getByRole('button', { name: 'Save' }).click()
    expect(await rows.count()).toBe(2)
    await form.getByLabel('Outcome').selectOption('restricted')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => state.innerText(), SOON).toMatch(/^Closed: restricted since/)
    await form.getByLabel('Do').selectOption('open')
    await form.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => rows.count(), SOON).toBe(4)
    const { body } = await world().read(`/alerts/${id}`)
    const shown = await rows.allInnerTexts()
    expect(body.history.toReversed().map(({ at }: { at: string }) => at.slice(0, 19).replace('T', ' '))).toEqual(
      shown.map((text) => text.slice(0, 19)),
    )
    expect(faults).toEqual([])
    await close()
  })

  test('two tabs on one alert: the second is told what the first did, keeps what was written, and saves it then', async () => {
    const [id = ''] = await world().alert([51])
    const { page, faults, close } = await signedIn({ expected: [/409/] }, `/console/alerts?alert=${id}`)
    const other = await page.context().newPage()
    await other.goto(`/console/alerts?alert=${id}`)
    for (const [tab, text] of [
      [page, 'first'],
      [other, 'second'],
    ] as const)
      await tab.getByLabel(/^Comment/).fill(`from the ${text} tab`)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('from the first tab').waitFor()
    await other.getByRole('button', { name: 'Save' }).click()
    await other.getByRole('alert').getByText('since you looked at it').waitFor()
    await other.getByText('from the first tab').waitFor()
    expect(await other.getByLabel(/^Comment/).inputValue()).toBe('from the second tab')
    expect(await found(other)).toEqual([])
    await other.getByRole('button', { name: 'Save' }).click()
    await other.getByRole('cell', { name: 'from the second tab' }).waitFor()
    expect(await other.getByRole('alert').count()).toBe(0)
    expect((await world().read(`/alerts/${id}`)).body.history).toHaveLength(3)
    expect(faults).toEqual([])
    await close()
  })

  test('markup, marks of direction and formulas in comments, names and reasons stay texts, on the page and in files', async () => {
    const [id = ''] = await world().alert([52], { title: HOSTILE_NAME })
    const payload = { revision: 0, comment: `${HOSTILE_COMMENT}\n\u202enext line`, author: HOSTILE_NAME }
    expect((await change(id, payload)).status).toBe(200)
    const { page, faults, close } = await signedIn({}, `/console/alerts?alert=${id}`)
    const history = page.getByRole('region', { name: 'What was done with it, newest first' })
    const text = await history.innerText()
    expect(text).toContain('<img src=x onerror=alert(1)>U+202Eexchange')
    expect(await page.locator('#main').innerText()).not.toMatch(/[\u202e\u200b]/)
    expect(await page.locator('img').count()).toBe(0)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.table').filter({ has: history }).getByRole('button', { name: 'CSV' }).click(),
    ])
    expect(await textOf(file)).toContain(`"'=HYPERLINK(""https`)
    await page.goto('/console/alerts?state=all')
    const all = page.getByRole('region', { name: 'Alerts, newest first' })
    await all.waitFor()
    expect(await page.locator('img').count()).toBe(0)
    expect(await all.innerText()).not.toMatch(/[\u202e\u200b]/)
    expect(faults).toEqual([])
    await close()
  })

  test('alerts are chosen by state and change, and pages of them are walked through', async () => {
    await world().alert(Array.from({ length: 1_500 }, (_, n) => 10_000 + n))
    const [id = ''] = await world().alert([53])
    await change(id, { revision: 0, state: 'closed', outcome: 'no_action' })
    const { body } = await world().read('/alerts?limit=1')
    const { page, faults, close } = await signedIn({}, '/console/alerts')
    const states = page.getByRole('navigation', { name: 'States' })
    const texts = await states.getByRole('link').allInnerTexts()
    const number = (count: number) => count.toLocaleString('en')
    expect(texts.slice(0, 3)).toEqual([
      `Open (${number(body.counts.open)})`,
      `Under review (${number(body.counts.under_review)})`,
      `Closed (${number(body.counts.closed)})`,
    ])
    expect(await states.locator('[aria-current]').innerText()).toBe(texts[0])
    const rows = page.getByRole('region', { name: 'Alerts, newest first' }).locator('tbody tr')
    expect(await rows.count()).toBe(100)
    await page.getByRole('link', { name: 'The next 1,000' }).click()
    await page.getByRole('link', { name: 'The newest' }).waitFor()
    await states.getByRole('link', { name: /^Closed/ }).click()
    await expect.poll(() => rows.allInnerTexts().then((all) => all.join('\n')), SOON).toContain('Closed: no action')
    expect(new URL(page.url()).search).toBe('?state=closed')
    await page.getByRole('link', { name: 'Better' }).last().click()
    await page.getByText('There is none.').waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test("a wallet's page names its alerts, and an alert leads to the verdict of then", async () => {
    const { page, faults, close } = await signedIn({}, `/console/ETH/${LISTED}`)
    const alerts = page.locator('section[aria-labelledby=alerts]')
    await alerts.locator(`a[href="/console/alerts?alert=${ALERT}"]`).click()
    await page.getByRole('heading', { name: 'Alert on' }).waitFor()
    const after = page.getByRole('link', { name: 'Fraud, 1.00' })
    expect(await after.getAttribute('href')).toBe(`/console/ETH/${LISTED}?at=1`)
    expect(faults).toEqual([])
    await close()
  })

  test('an alert of somebody else, or none, is told as such, and nothing of it is shown', async () => {
    const [foreign = ''] = await world().alert([54], { account: 'somebody else', title: 'a secret of others' })
    const { page, faults, close } = await signedIn({ expected: [/404/] }, `/console/alerts?alert=${foreign}`)
    await page.getByText('You have no alert of this id.').waitFor()
    expect(await page.locator('body').innerText()).not.toContain('a secret of others')
    expect(await page.locator('form.alert').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })
}
