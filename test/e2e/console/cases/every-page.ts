/** Signing in, the budgets of the first page, and what holds of every page. */
import { expect, test } from 'vitest'
import { ENTERPRISE_KEY } from '../../../contract/api/kit.ts'
import { sized } from '../../../kit/thorough.ts'
import { ALERT, LISTED, TOKEN, TRADER } from '../actors.ts'
import { type ConsoleKit, found, SOON, WALLET } from '../kit.ts'
import { installPlayer } from '../long-open.ts'

/** Looks of the status page, one every five seconds: at night of three hours. A page that keeps 2 kB or a listener of each is noticed by day. */
const LOOKS = sized(600, 2_160)
/** Rounds through pages. By day one that keeps seven nodes of each visit is noticed, at night three. */
const ROUNDS = sized(20, 50)
/** Bytes of the first page, compressed. */
const BUDGET = { script: 40_000, stylesheet: 8_000 }

/** Texts of more than a word that have room for some letters only. */
const SQUEEZED = `[...document.querySelectorAll('dd, td, th, p, li')]
  .filter((one) => one.innerText.trim().length > 16 && one.clientWidth > 0 && one.clientWidth < 60)
  .map((one) => one.innerText.slice(0, 40))`

export const everyPageHolds = ({ world, blank, signedIn, signedInAlone }: ConsoleKit): void => {
  test('the API reference can be searched and tried, under the policy of all pages', async () => {
    const { page, faults, close } = await blank()
    await page.goto('/docs')
    await page.getByLabel('Search').fill('largest counterparties')
    await page.locator('#fraud_counterparties').waitFor()
    expect(await page.locator('#health').isVisible()).toBe(false)
    await page.getByLabel('Search').fill('')
    await page.getByLabel(/^API key/).fill(ENTERPRISE_KEY)
    const check = page.locator('#fraud_check')
    await check.getByRole('button', { name: 'Try it' }).click()
    await check.getByLabel('Body').fill(JSON.stringify({ network: 'ETH', walletAddress: TRADER }))
    await check.getByRole('button', { name: 'Send POST /fraud/check' }).click()
    await check.getByText(`"walletAddress": "${TRADER}"`).last().waitFor(SOON)
    expect(await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]')).toEqual(['', 0, 0])
    expect(faults).toEqual([])
    await close()
  })

  test('a sign-in link works once, leaves no trace in URL or storage, and the first load is small', async () => {
    const watched = await blank({ expected: [/401/] })
    const { page } = watched
    const sizes = { script: 0, stylesheet: 0 }
    page.on('requestfinished', async (request) => {
      const kind = request.resourceType()
      if (kind !== 'script' && kind !== 'stylesheet') return
      sizes[kind] += (await request.sizes()).responseBodySize
    })
    const link = world().api.consoleLink(ENTERPRISE_KEY) ?? ''
    await page.goto(link)
    await page.getByRole('heading', { name: 'Check a wallet' }).waitFor()
    expect(new URL(page.url()).hash).toBe('')
    expect(await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]')).toEqual(['', 0, 0])
    expect(sizes.script).toBeGreaterThan(1_000)
    expect(sizes.script).toBeLessThan(BUDGET.script)
    expect(sizes.stylesheet).toBeGreaterThan(500)
    expect(sizes.stylesheet).toBeLessThan(BUDGET.stylesheet)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    await page.goto(link)
    await page.getByRole('alert').getByText('was already used').waitFor()
    await page.getByLabel('API key').fill('no such key')
    await page.getByLabel('API key').press('Enter')
    await page.getByRole('alert').getByText('The API key is not valid').waitFor()
    await page.getByLabel('API key').fill(ENTERPRISE_KEY)
    await page.getByLabel('API key').press('Enter')
    await page.getByRole('heading', { name: 'Check a wallet' }).waitFor()
    expect(watched.faults).toEqual([])
    await watched.close()
  })

  const PAGES = {
    search: '/console/',
    wallet: `${WALLET}?open=${LISTED}`,
    status: '/console/status',
    account: '/console/account',
    token: `/console/ETH/${TOKEN}/token`,
    lists: '/console/batch',
    watch: '/console/watch',
    alerts: '/console/alerts?state=all',
    alert: `/console/alerts?alert=${ALERT}`,
    questions: '/console/questions',
    past: `${WALLET}?at=9999999999999`,
    several: `/console/?q=${TRADER}%0A${LISTED}%0A0x12`,
  }

  test('every page is accessible in both colour schemes, and has no horizontal scrolling or broken words from 320 to 1920 px', async () => {
    const { page, faults, close } = await signedIn()
    for (const [label, path] of Object.entries(PAGES)) {
      await page.goto(path)
      await page.locator('h1').waitFor()
      await expect.poll(() => page.getByText('Loading ...').count(), SOON).toBe(0)
      expect(await found(page), label).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await found(page, ['color-contrast']), `${label}, dark`).toEqual([])
      await page.emulateMedia({ colorScheme: 'light' })
      for (const width of [320, 1920, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        expect(
          await page.evaluate('document.documentElement.scrollWidth'),
          `${label}, ${width} px`,
        ).toBeLessThanOrEqual(width)
        expect(await page.evaluate<string[]>(SQUEEZED), `${label}, ${width} px`).toEqual([])
      }
    }
    expect(faults).toEqual([])
    await close()
  })

  test('a tab open for hours does not leak memory, and pages that were left stop polling', async () => {
    const { page, faults, close } = await signedInAlone()
    const { play, visit, timers, held } = await installPlayer(page)
    await page.goto('/console/status')
    await page.getByRole('region', { name: 'Networks' }).waitFor()
    expect(await timers()).toBe(1)
    await play(200)
    const before = await held()
    await play(LOOKS)
    const after = await held()
    expect(after.nodes).toBeLessThan(before.nodes + 100)
    expect(after.listeners).toBeLessThan(before.listeners + 20)
    expect(after.heap).toBeLessThan(before.heap + 1_000_000)
    await visit(['/console/account', '/console/watch', '/console/batch', '/console/status'], 5)
    const once = await held()
    await visit(['/console/account', '/console/watch', '/console/batch', '/console/status'], ROUNDS)
    expect(await timers()).toBe(1)
    const often = await held()
    expect(often.nodes).toBeLessThan(once.nodes + 500)
    expect(often.heap).toBeLessThan(once.heap + 1_000_000)
    expect(faults).toEqual([])
    await close()
  })

  test('retries a server that is busy for a moment', async () => {
    const { page, close } = await signedIn()
    let turnedAway = 0
    await page.route('**/fraud/check', (route) => {
      if (turnedAway++ > 1) return route.continue()
      const json = { message: 'The server is busy.', error: 'OVERLOADED', details: [] }
      return route.fulfill({ status: 429, headers: { 'retry-after': '1' }, json })
    })
    await page.goto(WALLET)
    await page.locator('#verdict').waitFor()
    expect(turnedAway).toBe(3)
    await close()
  })
}
