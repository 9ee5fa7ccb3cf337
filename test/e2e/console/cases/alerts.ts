/** Alerts: what an analyst does with one, what two do at once, and texts that were written to break the page. */
import { expect, test } from 'vitest'
import { ALERT, HOSTILE_NAME, LISTED, LOOK_ALIKE } from '../actors.ts'
import { type ConsoleKit, found, SOON, textOf } from '../kit.ts'

const HOSTILE_COMMENT = `=HYPERLINK("https://evil.example","${HOSTILE_NAME}")`

export const alertsHold = ({ world, signedIn, signedInAlone }: ConsoleKit): void => {
  const change = (id: string, payload: object) => world().ask(`/alerts/${id}`, payload)

  test('an alert is found, reviewed, commented, closed and reopened by keyboard, with the name of each actor', async () => {
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
    const rows = page.getByRole('region', { name: 'History, newest first' }).locator('tbody tr')
    expect(await rows.first().innerText()).toMatch(
      /UTC\s+M\. Berger key key_enterprise\s+Under review\s+Asked the customer\.$/,
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

  test('several alerts are selected and closed by keyboard, and one closed by somebody else is reported separately', async () => {
    const ids = await world().alert([60, 61, 62])
    const { page, faults, close } = await signedIn({}, '/console/alerts')
    const row = () => page.evaluate<string>("document.activeElement.closest('tbody tr')?.innerHTML ?? ''")
    const goTo = async (id: string, key: string) => {
      for (let nth = 0; nth < 60 && !(await row()).includes(`alert=${id}`); nth++) await page.keyboard.press(key)
      expect(await row()).toContain(`alert=${id}`)
    }
    const [oldest = '', middle = '', newest = ''] = ids
    for (const [id, key] of [
      [oldest, 'j'],
      [newest, 'k'],
      [middle, 'j'],
    ] as const) {
      await goTo(id, key)
      await page.keyboard.press('x')
    }
    await page.getByText(/^3 of \d+ chosen$/).waitFor()
    // It is chosen, and not any more, and again.
    await page.keyboard.press('x')
    await page.getByText(/^2 of \d+ chosen$/).waitFor()
    await page.keyboard.press('x')
    expect(
      (await change(middle, { revision: 0, state: 'closed', outcome: 'restricted', author: 'A. Adler' })).status,
    ).toBe(200)
    await page.keyboard.press('e')
    const dialog = page.getByRole('dialog', { name: 'Do the same with 3 alerts' })
    await dialog.waitFor()
    expect(await found(page)).toEqual([])
    // Letters are letters now.
    for (const text of ['Close', 'No', 'jkxe: the list was withdrawn.', 'M. Berger']) {
      await page.keyboard.type(text)
      await page.keyboard.press('Tab')
    }
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden' })
    expect((await page.locator('#main').innerText()).slice(0, 1500)).toContain('2 of 3 alerts were changed.')
    const unchanged = page.getByRole('region', { name: /^Not changed/ }).locator('tbody tr')
    expect(await unchanged.count()).toBe(1)
    expect(await unchanged.innerText()).toMatch(
      new RegExp(`${middle}[\\s\\S]*Closed: restricted\tA. Adler\t.*is now 1`),
    )
    for (const id of ids) {
      const { alert, history } = (await world().read(`/alerts/${id}`)).body
      expect([alert.outcome, history.length, history[1].comment]).toEqual(
        id === middle ? ['restricted', 2, null] : ['no_action', 2, 'jkxe: the list was withdrawn.'],
      )
      expect(await page.locator('tbody', { hasText: 'Worse' }).locator(`a[href$="${id}"]`).count()).toBe(0)
    }
    // The name leads to what was last done under it, and a row to its page.
    await page.goto('/console/alerts?state=all&author=M.%20Berger')
    await page.getByText('Last done by').waitFor()
    await goTo(newest, 'j')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/console/alerts?alert=${newest}`)
    // Whoever speaks to the browser does without single keys.
    await page.getByRole('button', { name: 'Keys' }).click()
    await page.getByRole('checkbox', { name: /Use these keys/ }).uncheck()
    await page.getByRole('button', { name: 'Close' }).click()
    await page.keyboard.press('g')
    await page.keyboard.press('s')
    await page.keyboard.press('j')
    expect(await row()).toBe('')
    expect(new URL(page.url()).search).toContain(newest)
    expect(faults).toEqual([])
    await close()
  })

  test('when a bulk change needs several requests and one fails, the page reports what was done and keeps the rest selected', async () => {
    const { page, close } = await signedIn({ expected: [/503/] })
    await world().alert(
      Array.from({ length: 250 }, (_, n) => 20_000 + n),
      { of: LOOK_ALIKE },
    )
    await page.goto(`/console/alerts?network=ETH&walletAddress=${LOOK_ALIKE}`)
    await page.getByRole('button', { name: 'Choose all' }).click()
    await page.getByText('250 of 250 chosen').waitFor()
    let requests = 0
    await page.route('**/alerts', (route) => {
      if (route.request().method() !== 'POST' || ++requests !== 2) return route.continue()
      const json = { message: 'The store is away.', error: 'DEPENDENCY_UNAVAILABLE', details: [] }
      return route.fulfill({ status: 503, json })
    })
    await page.keyboard.press('e')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Do').selectOption('under_review')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').getByText('The store is away.').waitFor()
    expect(await dialog.getByText('200 of 250 alerts were changed.').count()).toBe(1)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.getByText('50 of 50 alerts were changed.').isVisible()).toBe(true)
    await page.getByText('No open alerts.').waitFor()
    await close()
  })

  test('two tabs on one alert: the second sees the change of the first, keeps its own text, and can save it', async () => {
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
    await other.getByRole('alert').getByText('after you read it').waitFor()
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

  test('markup, bidirectional marks and formulas in comments, names and reasons stay text, on the page and in files', async () => {
    const [id = ''] = await world().alert([52], { title: HOSTILE_NAME })
    const payload = { revision: 0, comment: `${HOSTILE_COMMENT}\n\u202enext line`, author: HOSTILE_NAME }
    expect((await change(id, payload)).status).toBe(200)
    const { page, faults, close } = await signedIn({}, `/console/alerts?alert=${id}`)
    const history = page.getByRole('region', { name: 'History, newest first' })
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

  test('filters alerts by state and change, with paging', async () => {
    await world().alert(Array.from({ length: 1_500 }, (_, n) => 10_000 + n))
    const [id = ''] = await world().alert([53])
    await change(id, { revision: 0, state: 'closed', outcome: 'no_action' })
    const { body } = await world().read('/alerts?limit=1')
    const { page, faults, close } = await signedInAlone()
    await page.clock.install()
    await page.goto('/console/alerts')
    await page.locator('h1').waitFor()
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
    await page.getByText('No alerts.').waitFor()
    // A list that stays open says that there are others by now.
    await page.goto('/console/alerts')
    await page.locator('h1').waitFor()
    await page.clock.fastForward('05:01')
    expect(await page.locator('#stale').count()).toBe(0)
    await world().alert([54])
    await page.clock.fastForward('05:01')
    await page.locator('#stale').getByText('There are new alerts').waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('a wallet page lists its alerts, and an alert links to its verdict', async () => {
    const { page, faults, close } = await signedIn({}, `/console/ETH/${LISTED}`)
    const alerts = page.locator('section[aria-labelledby=alerts]')
    await alerts.locator(`a[href="/console/alerts?alert=${ALERT}"]`).click()
    await page.getByRole('heading', { name: 'Alert on' }).waitFor()
    const after = page.getByRole('link', { name: 'Fraud, 1.00' })
    expect(await after.getAttribute('href')).toBe(`/console/ETH/${LISTED}?at=1`)
    expect(faults).toEqual([])
    await close()
  })

  test('an alert of another account, or none, is reported as missing, and nothing of it is shown', async () => {
    const [foreign = ''] = await world().alert([54], { account: 'somebody else', title: 'a secret of others' })
    const { page, faults, close } = await signedIn({ expected: [/404/] }, `/console/alerts?alert=${foreign}`)
    await page.getByText('Your key has no alert with this id.').waitFor()
    expect(await page.locator('body').innerText()).not.toContain('a secret of others')
    expect(await page.locator('form.alert').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })
}
