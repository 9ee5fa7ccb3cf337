/** The console in a real browser: what people see is what the API answers, and nothing else happens. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENTERPRISE_KEY } from '../../contract/api/kit.ts'
import { startReceiver } from '../../contract/api/webhooks.kit.ts'
import { chromiumPath, openBrowser, openPage, type Watched } from '../../kit/browser.ts'
import { installPlayer } from './long-open.ts'
import { CHANGING, EXCHANGE, HOSTILE_NAME, LISTED, LOOK_ALIKE, startWorld, TOKEN, TRADER, WATCHED } from './world.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
/** What axe answers, as far as it is looked at. */
type Checked = { violations: { id: string; nodes: { html: string }[] }[] }
const WALLET = `/console/ETH/${TRADER}`
/** A busy machine takes its time. */
const SOON = { timeout: 30_000 }
/** Under a second on a machine at rest; a busy one takes longer, but not for ever. */
const FIRST_PAINT_MS = 10_000
/** Looks of the status page in three hours, one every five seconds. */
const LOOKS = 2_160
/** Bytes of the first page, compressed. */
const BUDGET = { script: 40_000, stylesheet: 8_000 }

const name = chromiumPath ? 'the console in Chromium' : 'the console in Chromium (skipped: no Chromium here)'

describe.skipIf(!chromiumPath)(name, () => {
  let world: Awaited<ReturnType<typeof startWorld>>
  let browser: Browser
  const open: Watched[] = []

  beforeAll(async () => {
    world = await startWorld()
    browser = await openBrowser()
  })
  afterAll(async () => {
    await browser?.close()
    await world?.close()
  })

  type Options = Parameters<typeof openPage>[2]
  /** A page that is signed in by a link, as after `npm start`. */
  const signedIn = async (options: Options = {}, at?: string): Promise<Watched> => {
    const watched = await openPage(browser, world.origin, options)
    open.push(watched)
    await watched.page.goto(world.api.consoleLink(ENTERPRISE_KEY) ?? '')
    await watched.page.getByRole('heading', { name: 'Check a wallet' }).waitFor()
    if (at) {
      await watched.page.goto(at)
      await watched.page.locator('h1').waitFor()
    }
    return watched
  }
  /** What axe finds: each rule with what breaks it. */
  const found = async (page: Watched['page'], run = 'axe.run()') => {
    await page.evaluate(AXE)
    const { violations } = await page.evaluate<Checked>(run)
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
  }
  const explained = async (walletAddress: string) =>
    (await world.ask('/fraud/explain', { network: 'ETH', walletAddress })).body

  test('the reference is searched, and tries an operation, under the policy of all pages', async () => {
    const { page, faults, close } = await openPage(browser, world.origin)
    await page.goto('/docs')
    await page.getByLabel('Search').fill('largest counterparties')
    await page.locator('#fraud_counterparties').waitFor()
    expect(await page.locator('#health').isVisible()).toBe(false)
    await page.getByLabel('Search').fill('')
    await page.getByLabel(/^Key/).fill(ENTERPRISE_KEY)
    const check = page.locator('#fraud_check')
    await check.getByRole('button', { name: 'Try it' }).click()
    await check.getByLabel('Body').fill(JSON.stringify({ network: 'ETH', walletAddress: TRADER }))
    await check.getByRole('button', { name: 'Send POST /fraud/check' }).click()
    await check.getByText(`"walletAddress": "${TRADER}"`).last().waitFor(SOON)
    expect(await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]')).toEqual(['', 0, 0])
    expect(faults).toEqual([])
    await close()
  })

  test('a link signs in once, leaves no trace in address or storage, and what comes first is small', async () => {
    const watched = await openPage(browser, world.origin, { expected: [/401/] })
    const { page } = watched
    const sizes = { script: 0, stylesheet: 0 }
    page.on('requestfinished', async (request) => {
      const kind = request.resourceType()
      if (kind !== 'script' && kind !== 'stylesheet') return
      sizes[kind] += (await request.sizes()).responseBodySize
    })
    const link = world.api.consoleLink(ENTERPRISE_KEY) ?? ''
    await page.goto(link)
    await page.getByRole('heading', { name: 'Check a wallet' }).waitFor()
    expect(new URL(page.url()).hash).toBe('')
    expect(await page.evaluate('[document.cookie, localStorage.length, sessionStorage.length]')).toEqual(['', 0, 0])
    expect(sizes.script).toBeGreaterThan(1_000)
    expect(sizes.script).toBeLessThan(BUDGET.script)
    expect(sizes.stylesheet).toBeGreaterThan(500)
    expect(sizes.stylesheet).toBeLessThan(BUDGET.stylesheet)
    const paint = () =>
      page.evaluate<number | undefined>(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime`)
    await expect.poll(paint, SOON).toBeGreaterThan(0)
    expect(await paint()).toBeLessThan(FIRST_PAINT_MS)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    await page.goto(link)
    await page.getByRole('alert').getByText('was used before').waitFor()
    await page.getByLabel('API key').fill('no such key')
    await page.getByLabel('API key').press('Enter')
    await page.getByRole('alert').getByText('The API key is not valid').waitFor()
    await page.getByLabel('API key').fill(ENTERPRISE_KEY)
    await page.getByLabel('API key').press('Enter')
    await page.getByRole('heading', { name: 'Check a wallet' }).waitFor()
    expect(watched.faults).toEqual([])
    await watched.close()
  })

  test('by keyboard alone from search to the report, and every number is the API’s', async () => {
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
    expect(gaps).toContain(`${unknown} of 18 flags could not be checked in full`)
    expect(faults).toEqual([])
    await close()
  })

  test('a finding that decides alone is told before what behaviour would have said', async () => {
    const { page, faults, close } = await signedIn({}, `/console/ETH/${LISTED}`)
    const verdict = page.locator('#verdict')
    await expect.poll(() => verdict.innerText(), SOON).toContain('Fraud')
    expect(await verdict.locator('.probability').innerText()).toBe('1.00')
    expect(await page.locator('.findings').innerText()).toContain('SANCTIONED')
    expect(await page.getByRole('region', { name: 'Flags by state' }).locator('tbody tr').first().innerText()).toMatch(
      /Sanctioned\s+✖ found/,
    )
    expect(faults).toEqual([])
    await close()
  })

  test('names made to break a page are shown as what they are, and look-alikes are marked', async () => {
    const { page, faults, close } = await signedIn({}, WALLET)
    const contacts = page.getByRole('region', { name: 'Known addresses behind it' })
    const hostile = contacts.getByRole('row').filter({ hasText: EXCHANGE })
    expect(await hostile.innerText()).toContain('<img src=x onerror=alert(1)>')
    expect(await hostile.locator('.unseen-character').allInnerTexts()).toEqual(['U+202E', 'U+200B'])
    expect(await page.locator('img').count()).toBe(0)
    expect(await contacts.locator('bdi').filter({ hasText: 'onerror' }).count()).toBe(1)
    for (const address of [EXCHANGE, LOOK_ALIKE])
      expect(await contacts.getByRole('row').filter({ hasText: address }).innerText()).toContain(
        'looks like another address here',
      )
    expect(await contacts.getByRole('row').filter({ hasText: LISTED }).innerText()).not.toContain('looks like')
    // What spreadsheets get is the text itself.
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.table').filter({ has: contacts }).getByRole('button', { name: 'CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('exposure-addresses.csv')
    const chunks: Buffer[] = []
    for await (const chunk of await download.createReadStream()) chunks.push(chunk as Buffer)
    expect(Buffer.concat(chunks).toString('utf8')).toContain(HOSTILE_NAME)
    expect(faults).toEqual([])
    await close()
  })

  const PAGES = {
    search: '/console/',
    wallet: `${WALLET}?open=${LISTED}`,
    status: '/console/status',
    account: '/console/account',
    token: `/console/ETH/${TOKEN}/token`,
    lists: '/console/batch',
    watch: '/console/watch',
    past: `${WALLET}?at=9999999999999`,
    several: `/console/?q=${TRADER}%0A${LISTED}%0A0x12`,
  }

  test.each(['light', 'dark'] as const)('every page is accessible in the %s scheme', async (colorScheme) => {
    const { page, faults, close } = await signedIn({ colorScheme })
    for (const [label, path] of Object.entries(PAGES)) {
      await page.goto(path)
      await page.locator('h1').waitFor()
      const run = colorScheme === 'light' ? 'axe.run()' : 'axe.run({ runOnly: ["color-contrast"] })'
      expect(await found(page, run), label).toEqual([])
    }
    expect(faults).toEqual([])
    await close()
  })

  test.each([320, 1920])('no page needs to be scrolled sideways at %d px', async (width) => {
    const { page, close } = await signedIn({ viewport: { width, height: 800 } })
    for (const [label, path] of Object.entries(PAGES)) {
      await page.goto(path)
      await page.locator('h1').waitFor()
      expect(await page.evaluate('document.documentElement.scrollWidth'), label).toBeLessThanOrEqual(width)
    }
    await close()
  })

  test('several lines are looked up together, and what is no address says why', async () => {
    const { page, faults, close } = await signedIn({}, PAGES.several)
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

  test('an address nobody saw, a refusal and a silent server are told apart, with what to do', async () => {
    const { page, close } = await signedIn({}, `/console/ETH/0x${'de'.repeat(20)}`)
    await page.getByRole('alert').getByText('Never seen here').waitFor()
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

  test('a token shows what it can do in three states, and its liquidity over time', async () => {
    const { page, faults, close } = await signedIn({}, `/console/ETH/${TOKEN}/token`)
    const { body } = await world.ask('/rug/pull-check', { network: 'ETH', walletAddress: TOKEN })
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
    expect(await page.getByRole('region', { name: 'Liquidity events' }).innerText()).toContain('1.6')
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

  test('a list is uploaded, followed, read, taken away and removed', async () => {
    const { page, faults, close } = await signedIn({}, '/console/batch')
    const csv = `address,reference\n${TRADER},=1+1\n${LISTED},customer 2\nnonsense,customer 3\n`
    await page.getByLabel('File').setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByRole('region', { name: 'The first lines of list.csv' }).waitFor()
    await page.getByRole('button', { name: 'Screen this list' }).click()
    await page.getByText('Finished: 3 of 3 rows').waitFor()
    const results = page.getByRole('region', { name: 'Results' })
    const rows = results.locator('tbody tr')
    await expect.poll(() => rows.count(), SOON).toBe(3)
    const [first = '', second = '', third = ''] = await rows.allInnerTexts()
    expect(first).toContain((await explained(TRADER)).probabilityFraud)
    expect(second).toContain('1.00')
    expect(third).toContain('400')
    await page.getByLabel('Show').selectOption('Fraud')
    await expect.poll(() => rows.count(), SOON).toBe(1)
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByText('Download all as CSV').click()])
    const parts: Buffer[] = []
    for await (const part of await download.createReadStream()) parts.push(part as Buffer)
    expect(Buffer.concat(parts).toString('utf8')).toContain("'=1+1")
    await page.getByRole('button', { name: 'Remove this list' }).click()
    await page.getByText('None yet.').waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('the link of a record shows that record after the verdict has changed, and why it did', async () => {
    const { page, faults, close } = await signedIn({}, `/console/ETH/${CHANGING}`)
    const hash = await page.locator('#hash').innerText()
    const link = (await page.locator('#record a').getAttribute('href')) ?? ''
    const { body: before } = await world.ask('/fraud/history', { network: 'ETH', walletAddress: CHANGING })
    expect(hash).toBe(before.verdicts[0].hash)
    await world.sanction(CHANGING)
    await page.getByRole('button', { name: 'Compute now' }).click()
    const verdict = page.locator('#verdict')
    await expect.poll(() => verdict.innerText(), SOON).toContain('1.00')
    const history = page.getByRole('region', { name: 'Verdicts, newest first' })
    expect(await history.locator('tbody tr').first().innerText()).toContain('New finding: Sanctioned')
    expect(await page.locator('#hash').innerText()).not.toBe(hash)
    // The next morning, from the file of the case.
    await page.goto(link)
    await page.locator('#banner').waitFor()
    expect(await page.locator('#hash').innerText()).toBe(hash)
    expect(await verdict.innerText()).toContain(before.verdicts[0].probabilityFraud)
    expect(await page.getByRole('region', { name: 'Reasons by weight' }).locator('tbody tr').count()).toBe(
      before.verdicts[0].reasons.length + 1,
    )
    await page.getByRole('link', { name: 'See the verdict of now' }).click()
    await expect.poll(() => verdict.innerText(), SOON).toContain('1.00')
    expect(faults).toEqual([])
    await close()
  })

  test('a printed report has the verdict, the hash and the link of the record, and no buttons', async () => {
    const { page, close } = await signedIn({}, WALLET)
    await page.emulateMedia({ media: 'print' })
    for (const part of ['#verdict', '#hash', '#record a']) expect(await page.locator(part).isVisible(), part).toBe(true)
    expect(await page.getByRole('button', { name: 'Print report' }).isVisible()).toBe(false)
    expect((await page.pdf()).length).toBeGreaterThan(10_000)
    await close()
  })

  test('counterparties are a graph that opens by keyboard, stops at services, and is kept in the address', async () => {
    const { page, faults, close } = await signedIn({}, `/console/ETH/${LISTED}`)
    const graph = page.locator('.graph')
    await graph.waitFor()
    const { body } = await world.ask('/fraud/counterparties', { network: 'ETH', walletAddress: LISTED })
    const boxes = body.incoming.largest.length + body.outgoing.largest.length + 1
    await expect.poll(() => graph.locator('.node').count(), SOON).toBe(boxes)
    await graph.getByRole('button', { name: `Open ${TRADER}` }).focus()
    await page.keyboard.press('Enter')
    const closer = graph.getByRole('button', { name: `Close ${TRADER}` })
    await closer.waitFor()
    await expect
      .poll(() => page.evaluate('document.activeElement.getAttribute("aria-label")'), SOON)
      .toBe(`Close ${TRADER}`)
    expect(await graph.locator('.node').count()).toBeGreaterThan(boxes)
    expect(new URL(page.url()).searchParams.getAll('open')).toEqual([TRADER])
    const opened = await graph.locator('.node').count()
    await page.reload()
    await expect.poll(() => graph.locator('.node').count(), SOON).toBe(opened)
    // Of a service nothing is opened, and its name turns nothing.
    await page.goto(WALLET)
    await graph.waitFor()
    const service = graph.getByRole('link', { name: EXCHANGE })
    expect(await service.locator('title').textContent()).toContain('not followed: exchange')
    expect(await graph.getByRole('button', { name: `Open ${EXCHANGE}` }).count()).toBe(0)
    expect(
      await graph
        .locator('text')
        .allTextContents()
        .then((all) => all.join('')),
    ).not.toMatch(/[\u202e\u200b]/)
    // The two that look alike are not shortened into each other.
    const labels = await graph.locator('.node a:first-child text:first-of-type').allTextContents()
    expect(new Set(labels).size).toBe(labels.length)
    const table = await page.getByRole('region', { name: 'Largest counterparties' }).innerText()
    const { body: own } = await world.ask('/fraud/counterparties', { network: 'ETH', walletAddress: TRADER })
    for (const { address, value } of [...own.incoming.largest, ...own.outgoing.largest]) {
      expect(table).toContain(address)
      expect(table).toContain(`\t${value}\t`)
    }
    expect(faults).toEqual([])
    await close()
  })

  test('addresses are watched, an endpoint is told once the verdict on one changes, and the page shows what it was told', async () => {
    const receiver = await startReceiver()
    const { page, faults, close } = await signedIn({}, '/console/watch')
    const list = page.locator('#watched')
    expect(await list.innerText()).toContain('0 of 1,000')
    // Pasted as people do: an id that names its chain, and a bare address.
    await page
      .getByLabel(/^Addresses/)
      .last()
      .fill(`eip155:1:${WATCHED}\n${LISTED}`)
    await page.getByRole('button', { name: 'Watch these' }).click()
    await expect.poll(() => list.innerText(), SOON).toContain('2 of 1,000')
    await page.getByRole('button', { name: `Stop watching ${LISTED} on ETH` }).click()
    await expect.poll(() => list.innerText(), SOON).toContain('1 of 1,000')
    expect(await page.getByRole('region', { name: 'Watched addresses' }).innerText()).toContain(WATCHED)
    // One line that is no address changes nothing, and stays to be put right.
    await page
      .getByLabel(/^Addresses/)
      .last()
      .fill(`${TRADER}\nnonsense`)
    await page.getByRole('button', { name: 'Watch these' }).click()
    await page.getByRole('alert').getByText('Nothing was changed').waitFor()
    expect(
      await page
        .getByLabel(/^Addresses/)
        .last()
        .inputValue(),
    ).toContain('nonsense')
    expect(await list.innerText()).toContain('1 of 1,000')

    await page.getByLabel('URL').fill(receiver.url)
    await page.getByLabel('Description').fill(HOSTILE_NAME)
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    const secret = await page.getByText('It is not shown again').locator('code').innerText()
    expect(secret).toMatch(/^whsec_/)
    await world.judge(WATCHED, [])
    await world.judge(WATCHED, ['phishing_activities'])
    await expect.poll(() => receiver.received.length, SOON).toBeGreaterThan(0)
    const [event] = receiver.events(secret)
    const alerts = page.getByRole('region', { name: 'Alerts, newest first' })
    const shown = async () => {
      await page.getByRole('button', { name: 'Look for new alerts' }).click()
      return (await alerts.isVisible()) ? alerts.innerText() : ''
    }
    await expect.poll(shown, SOON).toMatch(/Worse[\s\S]*delivered/)
    const row = await alerts.locator('tbody tr').first().innerText()
    expect(event?.data.address).toBe(WATCHED)
    for (const part of [
      WATCHED,
      `${event?.data.after?.status}, ${event?.data.after?.probability}`,
      'Phishing activities',
    ])
      expect(row).toContain(part)
    expect(await found(page)).toEqual([])
    // What cannot be undone is asked for twice.
    const remove = page.getByRole('region', { name: 'Endpoints' }).getByRole('button', { name: 'Remove' })
    await remove.click()
    expect(await remove.innerText()).toBe('Remove: are you sure?')
    await remove.click()
    await page.getByText('nobody is told when a verdict changes').waitFor()
    expect(await page.locator('img').count()).toBe(0)
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
    await close()
    await receiver.close()
  })

  test('an installation that keeps no watch lists and sends no webhooks is told apart from an empty list', async () => {
    const { page, close } = await signedIn({ expected: [/503/] })
    const json = { message: 'This installation sends no webhooks.', error: 'ANALYSIS_NOT_AVAILABLE', details: [] }
    await page.route('**/webhooks', (route) => route.fulfill({ status: 503, json }))
    await page.goto('/console/watch')
    await page.getByRole('alert').getByText('This installation sends no webhooks.').waitFor()
    await page.locator('#watched').waitFor()
    expect(await page.getByText('nobody is told').count()).toBe(0)
    await close()
  })

  test('the key is described with what it is held to, its calls, and the commands about it', async () => {
    const { page, faults, close } = await signedIn({}, '/console/account?days=7')
    const main = page.locator('#main')
    expect(await main.innerText()).toContain('assay keys rotate key_enterprise --grace 12h')
    expect(await main.locator('dl').innerText()).toMatch(/Operations\s+all of the tier/)
    expect(await page.locator('.days rect').count()).toBe(7)
    await page.getByRole('link', { name: '90 days' }).click()
    await expect.poll(() => page.locator('.days rect').count(), SOON).toBe(90)
    expect(new URL(page.url()).search).toBe('?days=90')
    expect(faults).toEqual([])
    await close()
  })

  test('a wallet of a million transactions and thousands of counterparties stays a page, and loses nothing', async () => {
    const { page, faults, close } = await signedIn()
    const request = { network: 'ETH', walletAddress: TRADER }
    const [{ body: told }, { body: parties }, { body: history }] = await Promise.all([
      world.ask('/fraud/explain', request),
      world.ask('/fraud/counterparties', request),
      world.ask('/fraud/history', request),
    ])
    const hex = (nth: number) => nth.toString(16).padStart(8, '0')
    const many = <T>(count: number, of: (nth: number) => T) => Array.from({ length: count }, (_, nth) => of(nth))
    const exact = '115792089237316195423570.985008687907853269'
    const party = (nth: number) => ({
      ...parties.incoming.largest[0],
      address: `0x${hex(nth)}${'ab'.repeat(16)}`,
      value: nth === 0 ? exact : `${1_000 - nth}`,
      movements: 100_000,
      name: null,
    })
    const side = { counterparties: 5_000, value: exact, largest: many(10, party) }
    const contacts = many(5_000, (nth) => ({
      ...{ address: party(nth).address, name: `=name ${nth}`, category: 'exchange', hops: 2, share: 0.0002 },
    }))
    const incoming = { ...told.exposure.incoming, contacts }
    incoming.notFollowed = { ...incoming.notFollowed, cut: true, unpricedAssets: 412 }
    const verdicts = many(400, (nth) => ({ ...history.verdicts[0], version: 4_000 - nth }))
    const answers: Record<string, unknown> = {
      explain: { ...told, exposure: { ...told.exposure, incoming } },
      counterparties: { ...parties, incoming: side, outgoing: { ...side, counterparties: 4_321 } },
      history: { ...history, verdicts },
    }
    for (const [name, json] of Object.entries(answers))
      await page.route(`**/fraud/${name}`, (route) => route.fulfill({ json: json as object }))
    await page.goto(WALLET)
    const graph = page.locator('.graph')
    await graph.waitFor()
    expect(await graph.locator('.others').allTextContents()).toEqual(['4,992 others', '4,313 others'])
    expect(await graph.locator('.node').count()).toBe(1 + 2 * 9)
    const table = page.getByRole('region', { name: 'Largest counterparties' })
    expect(await table.innerText()).toContain(`\t${exact}\t100,000\t`)
    expect(await page.getByText('Only the largest movements were looked at').count()).toBe(1)
    expect(await page.getByText('412 assets without a price').count()).toBe(1)
    // A hundred rows of each table at a time; the file has all of them.
    const known = page.getByRole('region', { name: 'Known addresses behind it' })
    expect(await known.locator('tbody tr').count()).toBe(100)
    expect(await page.getByRole('region', { name: 'Verdicts, newest first' }).locator('tbody tr').count()).toBe(100)
    expect(await page.locator('*').count()).toBeLessThan(10_000)
    const whole = page.locator('.table').filter({ has: known })
    await whole.getByRole('button', { name: /^Show 100 more of 5\d+/ }).click()
    expect(await known.locator('tbody tr').count()).toBe(200)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      whole.getByRole('button', { name: 'CSV' }).click(),
    ])
    const saved = readFileSync(await download.path(), 'utf8')
    expect(saved.match(/'=name /g)).toHaveLength(5_000)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(faults).toEqual([])
    await close()
  })

  test('a tab that is open for hours does not grow, and pages that were left look at nothing any more', async () => {
    const { page, faults, close } = await signedIn()
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
    await visit(['/console/account', '/console/watch', '/console/batch', '/console/status'], 50)
    expect(await timers()).toBe(1)
    const often = await held()
    expect(often.nodes).toBeLessThan(once.nodes + 500)
    expect(often.heap).toBeLessThan(once.heap + 1_000_000)
    expect(faults).toEqual([])
    await close()
  })

  test('a server that is busy for a moment is asked again', async () => {
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
})
