/** What pages do when somebody or something is against them: sessions that end, keys that may not, servers that fail, hostile texts. */
import { expect, test } from 'vitest'
import { BUSINESS_KEY, ENTERPRISE_KEY } from '../../../contract/api/kit.ts'
import { HOSTILE_NAME, LISTED, TOKEN, TRADER } from '../actors.ts'
import { type ConsoleKit, found, SOON, WALLET } from '../kit.ts'

/** Pages that ask the API for something, and what of it decides whether there is a page. */
const ASKING = {
  [`/console/?q=${TRADER}`]: '/fraud/batch',
  [WALLET]: '/fraud/explain',
  [`/console/ETH/${TOKEN}/token`]: '/rug/pull-check',
  '/console/batch': '/screen',
  '/console/watch': '/watch',
  '/console/alerts': '/alerts',
  '/console/status': '/status',
  '/console/account': '/usage',
}

export const standsAgainst = ({ world, signedIn, blank }: ConsoleKit): void => {
  test('asks to sign in again over an open page when the session ends, and keeps the page', async () => {
    const { page, faults, close } = await signedIn({ expected: [/401/] }, WALLET)
    await page.locator('.graph').waitFor()
    const shown = await page.locator('#verdict').innerText()
    await page.context().clearCookies()
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    const again = page.locator('#signed-out')
    await again.waitFor()
    expect(await page.locator('#verdict').innerText()).toBe(shown)
    expect(await found(page)).toEqual([])
    await again.getByLabel('API key').fill(ENTERPRISE_KEY)
    await again.getByLabel('API key').press('Enter')
    await again.waitFor({ state: 'detached' })
    expect(await page.locator('#verdict').innerText()).toBe(shown)
    await page.getByRole('button', { name: 'Watch', exact: true }).click()
    await page.getByText('The address is on your watch list.').waitFor()
    // Where a page cannot be shown at all, the form stands in its place, and leads to that page.
    await page.context().clearCookies()
    await page.getByRole('link', { name: 'Key and usage' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await again.count()).toBe(0)
    await page.getByLabel('API key').fill(ENTERPRISE_KEY)
    await page.getByLabel('API key').press('Enter')
    await page.getByRole('heading', { name: 'Key and usage' }).waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('tabs share one session: signing in or out in one is seen in the others', async () => {
    const { page, faults, close } = await signedIn({ expected: [/401/] }, '/console/account')
    const keyOf = () => page.locator('#main dl').first().innerText()
    expect(await keyOf()).toContain('key_enterprise')
    const other = await page.context().newPage()
    await other.goto('/console/status')
    await other.getByRole('button', { name: 'Sign out' }).click()
    await other.getByLabel('API key').waitFor()
    await page.getByLabel('API key').waitFor()
    await other.getByLabel('API key').fill(BUSINESS_KEY)
    await other.getByLabel('API key').press('Enter')
    await expect.poll(keyOf, SOON).toContain('key_business')
    // The same key again changes nothing.
    await page
      .locator('#main dl')
      .first()
      .evaluate((element) => element.setAttribute('data-kept', 'yes'))
    await other.goto('/console/account')
    await other.locator('h1').waitFor()
    expect(await page.locator('[data-kept]').count()).toBe(1)
    expect(faults).toEqual([])
    await close()
  })

  test('explains which operations the tier of a key does not cover, and the others work', async () => {
    const { page, faults, close } = await blank({ expected: [/401|403/] })
    await page.goto('/console/batch')
    await page.getByLabel('API key').fill(BUSINESS_KEY)
    await page.getByLabel('API key').press('Enter')
    await page.getByLabel('File').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(TRADER) })
    await page.getByLabel('Operation').selectOption('credit_score')
    await page.getByRole('alert').getByText('Your key does not cover this').waitFor()
    expect(await page.getByRole('button', { name: 'Screen this list' }).isDisabled()).toBe(true)
    await page.goto(WALLET)
    await page.locator('#verdict').waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('every page shows failures and refusals with a remedy, and recovers', async () => {
    const { page, faults, close } = await signedIn({ expected: [/403|503|ERR_FAILED/] })
    for (const [path, needed] of Object.entries(ASKING)) {
      const at = (url: URL) => url.pathname === needed
      await page.route(at, (route) => route.abort())
      await page.goto(path)
      await page.getByRole('alert').first().getByText('The server did not answer').waitFor()
      await page.unroute(at)
      const json = { message: `Not for ${HOSTILE_NAME}`, error: 'TIER_NOT_COVERED', details: [] }
      await page.route(at, (route) => route.fulfill({ status: 403, json }))
      await page.goto(path)
      const refused = page.getByRole('alert').first()
      await refused.getByText('Your key does not cover this').waitFor()
      expect(await refused.innerText(), path).toContain('<img src=x onerror=alert(1)>U+202Eexchange')
      if (path === WALLET) expect(await found(page)).toEqual([])
      await page.unroute(at)
      const again = refused.getByRole('button', { name: 'Try again' })
      await ((await again.count()) > 0 ? again.click() : page.reload())
      await page.getByRole('alert').first().waitFor({ state: 'detached' })
    }
    expect(await page.locator('img').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })

  test('wallet and token pages show unknown coverage, and do not show zeros as facts', async () => {
    const { page, faults, close } = await signedIn()
    for (const [name, walletAddress] of [
      ['/fraud/explain', TRADER],
      ['/rug/explain', TOKEN],
    ] as const) {
      const { body } = await world().ask(name, { network: 'ETH', walletAddress })
      await page.route(`**${name}`, (route) => route.fulfill({ json: { ...body, coverage: null } }))
    }
    const unknown = 'The coverage of this network is not known at the moment.'
    for (const path of [WALLET, `/console/ETH/${TOKEN}/token`]) {
      await page.goto(path)
      await page.locator('section[aria-labelledby=gaps]').getByText(unknown).waitFor()
    }
    expect(faults).toEqual([])
    await close()
  })

  test('markup and bidirectional marks in URLs are shown as text', async () => {
    const { page, faults, close } = await signedIn({ expected: [/40[04]/] })
    const hostile = encodeURIComponent(HOSTILE_NAME)
    for (const path of [
      `/console/ETH/${hostile}`,
      `/console/${hostile}/${LISTED}`,
      `/console/ETH/${hostile}/token`,
      `/console/ETH/${LISTED}/${hostile}`,
      `/console/?q=${hostile}`,
      `/console/batch?job=${hostile}`,
      `/console/watch?after=${hostile}`,
      `/console/alerts?alert=${hostile}`,
      `/console/alerts?state=${hostile}&direction=${hostile}`,
      `/console/questions?network=ETH&address=${hostile}`,
      `${WALLET}?open=${hostile}&days=${hostile}`,
    ]) {
      await page.goto(path)
      await page.locator('h1').waitFor()
      expect(await page.locator('img').count(), path).toBe(0)
      expect(await page.locator('#main').innerText(), path).not.toMatch(/[\u202e\u200b]/)
    }
    expect(faults).toEqual([])
    await close()
  })
}
