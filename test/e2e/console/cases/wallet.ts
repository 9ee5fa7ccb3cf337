/** The page of a wallet. */
import { expect, test } from 'vitest'
import { timeOf } from '../../../kit/world/transactions.ts'
import { CHANGING, EXCHANGE, HOSTILE_NAME, LISTED, LOOK_ALIKE, TRADER, UNDONE } from '../actors.ts'
import { type ConsoleKit, SOON, textOf, WALLET } from '../kit.ts'

export const walletHolds = ({ world, signedIn, signedInAlone, explained }: ConsoleKit): void => {
  test('a decisive finding is shown before the behavioural score', async () => {
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

  test('a wallet page shows labels and their lists, the kind of the wallet and its first activity', async () => {
    const { page, faults, close } = await signedIn({}, `/console/ETH/${EXCHANGE}`)
    const identity = page.locator('section[aria-labelledby=identity]')
    const facts = await identity.locator('dl').innerText()
    expect(facts).toMatch(/^Known as\s+<img src=x onerror=alert\(1\)>U\+202EexchangeU\+200B, Exchange\n/)
    expect(facts).toContain('account, or a contract whose creation is not in the tables')
    const seen = (block: number) => new Date(timeOf(block) * 1_000).toISOString().slice(0, 19).replace('T', ' ')
    expect(facts).toMatch(new RegExp(`First seen\\s+${seen(5)} UTC\\s+Last seen\\s+${seen(205)} UTC$`))
    expect(await identity.getByRole('region', { name: 'Labels in force' }).locator('tbody').innerText()).toBe(
      'Service\tlist\treported by a list\t0.95\tETH',
    )
    await page.goto(WALLET)
    expect(await identity.innerText()).toMatch(/Known as\s+not on any loaded list[\s\S]*No labels\.$/)
    expect((await explained(LISTED)).identity).toMatchObject({ category: 'sanctioned', contract: false })
    expect(faults).toEqual([])
    await close()
  })

  test('shows hostile names literally, and marks look-alikes', async () => {
    const { page, faults, close } = await signedIn({ expected: [/ERR_FAILED/] }, WALLET)
    const contacts = page.getByRole('region', { name: 'Known addresses behind the exposure' })
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
    expect(await textOf(download)).toContain(HOSTILE_NAME)
    // A file that cannot be made is told.
    await page.route('**/parquet.js', (route) => route.abort())
    const table = page.locator('.table').filter({ has: contacts })
    await table.getByRole('button', { name: 'Parquet' }).click()
    await table.getByRole('alert').getByText('No Parquet file was created').waitFor()
    // Titles and changes may hold such names too; addresses in the evidence lead to their pages.
    const { body } = await world().ask('/fraud/explain', { network: 'ETH', walletAddress: TRADER })
    const [reason] = body.reasons
    const evil = { ...reason, title: HOSTILE_NAME, change: HOSTILE_NAME, evidence: { paid: [LISTED], when: 'never' } }
    await page.route('**/fraud/explain', (route) => route.fulfill({ json: { ...body, reasons: [evil] } }))
    await page.goto(WALLET)
    const row = page
      .getByRole('region', { name: 'Reasons by weight' })
      .locator('tbody tr')
      .filter({ has: page.locator('details') })
    await row.waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('e')
    const seen = row.getByRole('link', { name: LISTED })
    for (let nth = 0; nth < 20 && !(await seen.isVisible()); nth++) {
      await page.keyboard.press('j')
      await page.keyboard.press('e')
    }
    expect(await row.innerText()).not.toMatch(/[\u202e\u200b]/)
    expect(await page.locator('img').count()).toBe(0)
    await seen.click()
    await page.waitForURL(`**/console/ETH/${LISTED}`)
    expect(faults).toEqual([])
    await close()
  })

  test('the link of a record shows that record after the verdict changed, and the reason of the change', async () => {
    const { page, faults, close } = await signedIn({}, `/console/ETH/${CHANGING}`)
    const hash = await page.locator('#hash').innerText()
    const link = (await page.locator('#record a').getAttribute('href')) ?? ''
    const { body: before } = await world().ask('/fraud/history', { network: 'ETH', walletAddress: CHANGING })
    expect(hash).toBe(before.verdicts[0].hash)
    await world().sanction(CHANGING)
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
    await page.getByRole('link', { name: 'See the current verdict' }).click()
    await expect.poll(() => verdict.innerText(), SOON).toContain('1.00')
    expect(faults).toEqual([])
    await close()
  })

  test('a printed report has the verdict, the hash and the link of the record, and no buttons', async () => {
    const { page, close } = await signedIn({}, WALLET)
    await page.emulateMedia({ media: 'print' })
    for (const part of ['#verdict', '#hash', '#record a']) expect(await page.locator(part).isVisible(), part).toBe(true)
    expect(await page.getByRole('button', { name: 'Print report' }).isVisible()).toBe(false)
    // Paper is white, whatever the screen is.
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(
      await page.evaluate(
        "getComputedStyle(document.body).color + ' ' + getComputedStyle(document.body).backgroundColor",
      ),
    ).toBe('rgb(23, 32, 43) rgb(255, 255, 255)')
    expect((await page.pdf()).length).toBeGreaterThan(10_000)
    await close()
  })

  test('the graph of counterparties opens by keyboard, stops at services, and is kept in the URL', async () => {
    const { page, faults, close } = await signedIn({}, `/console/ETH/${LISTED}`)
    const graph = page.locator('.graph')
    await graph.waitFor()
    const { body } = await world().ask('/fraud/counterparties', { network: 'ETH', walletAddress: LISTED })
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
    // The same key closes and opens it from anywhere in its box.
    await page.keyboard.press('e')
    await graph.getByRole('button', { name: `Open ${TRADER}` }).waitFor()
    await page.keyboard.press('e')
    await closer.waitFor()
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
    const { body: own } = await world().ask('/fraud/counterparties', { network: 'ETH', walletAddress: TRADER })
    for (const { address, value } of [...own.incoming.largest, ...own.outgoing.largest]) {
      expect(table).toContain(address)
      expect(table).toContain(`\t${value}\t`)
    }
    expect(faults).toEqual([])
    await close()
  })

  test('a wallet with a million transactions and thousands of counterparties stays usable and complete', async () => {
    const { page, faults, close } = await signedIn()
    const request = { network: 'ETH', walletAddress: TRADER }
    const [{ body: told }, { body: parties }, { body: history }] = await Promise.all([
      world().ask('/fraud/explain', request),
      world().ask('/fraud/counterparties', request),
      world().ask('/fraud/history', request),
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
    expect(await page.getByText('Only the largest movements are included').count()).toBe(1)
    expect(await page.getByText('412 assets without a price').count()).toBe(1)
    // A hundred rows of each table at a time; the file has all of them.
    const known = page.getByRole('region', { name: 'Known addresses behind the exposure' })
    expect(await known.locator('tbody tr').count()).toBe(100)
    expect(await page.getByRole('region', { name: 'Verdicts, newest first' }).locator('tbody tr').count()).toBe(100)
    expect(await page.locator('*').count()).toBeLessThan(10_000)
    const whole = page.locator('.table').filter({ has: known })
    await whole.getByRole('button', { name: /^Show 100 more of 5\d+/ }).click()
    expect(await known.locator('tbody tr').count()).toBe(200)
    // Paper, where there is no button, says that there is more.
    await page.emulateMedia({ media: 'print' })
    expect(await whole.innerText()).toMatch(/The first 200 of 5\d+ rows/)
    expect(await page.evaluate("document.querySelector('.graph').getBoundingClientRect().width <= innerWidth")).toBe(
      true,
    )
    await page.emulateMedia({ media: 'screen' })
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      whole.getByRole('button', { name: 'CSV' }).click(),
    ])
    const saved = await textOf(download)
    expect(saved.match(/'=name /g)).toHaveLength(5_000)
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    expect(faults).toEqual([])
    await close()
  })

  test('one time range applies to charts, history and tables; days without stored data are not zeros', async () => {
    const { page, faults, close } = await signedIn({}, WALLET)
    const { body: activity } = await world().ask('/fraud/activity', { network: 'ETH', walletAddress: TRADER })
    const days = page.getByRole('region', { name: 'Activity by day, newest first' })
    const label = await page.locator('section[aria-labelledby=activity] svg.days').getAttribute('aria-label')
    const sum = (field: string) =>
      activity.steps.reduce((total: number, step: Record<string, number>) => total + (step[field] ?? 0), 0)
    expect(label).toContain(`${sum('incoming')} in, ${sum('outgoing')} out`)
    expect([sum('incoming'), sum('outgoing')]).toEqual([8, 14])
    expect(await page.locator('section[aria-labelledby=activity] .days g').count()).toBe(activity.steps.length)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('.table').filter({ has: days }).getByRole('button', { name: 'NDJSON' }).click(),
    ])
    const rows = (await textOf(download))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    for (const { at, incoming, outgoing, transactions } of activity.steps)
      expect(rows.find((row) => row.Day === at)).toMatchObject({ In: incoming, Out: outgoing, Signed: transactions })
    // The chain of this test ended long ago: of the days since nothing is known.
    expect(rows[0]).toMatchObject({ Known: 'unknown', In: null, Out: null })
    const [native] = activity.assets
    const last = native.steps.at(-1)
    const balances = await page
      .getByRole('region', { name: 'ETH by day, newest first' })
      .locator('tbody tr')
      .allInnerTexts()
    expect(balances).toHaveLength(native.steps.length)
    expect(balances[0]).toBe([last.at, last.received, last.sent, last.fees, last.change, last.balance].join('\t'))
    expect(last.balance).toBe('18')
    expect(await page.getByRole('region', { name: 'Balances, newest' }).locator('tbody tr').first().innerText()).toBe(
      `ETH\t\t18\t${native.usd}`,
    )
    expect(native.usd).toBe('36000.00')
    expect(await page.locator('#worth').innerText()).toContain('Known balances total $36,000.00')

    await page.goto(`${WALLET}?open=${LISTED}`)
    await page.getByRole('link', { name: '30 days' }).click()
    await expect.poll(() => days.locator('tbody tr').count(), SOON).toBe(30)
    const search = new URL(page.url()).searchParams
    expect([search.get('days'), search.get('open')]).toEqual(['30', LISTED])
    for (const row of await days.locator('tbody tr').allInnerTexts()) expect(row).toMatch(/not known(\s+\?){6}$/)
    expect(await page.getByText('30 of 30 days are not known').count()).toBe(1)
    await page.getByText('with an earlier last movement').waitFor()
    expect(await page.getByRole('region', { name: 'Verdicts, newest first' }).locator('tbody tr').count()).toBe(1)
    expect(faults).toEqual([])
    await close()
  })

  test('days that cannot be read are marked, and the rest of the page stays', async () => {
    const { page, close } = await signedIn({ expected: [/503/] })
    const json = { message: 'The tables moved on.', error: 'DEPENDENCY_UNAVAILABLE', details: [] }
    await page.route('**/fraud/activity', (route) => route.fulfill({ status: 503, json }))
    await page.goto(WALLET)
    await page.getByRole('alert').getByText('The tables moved on.').waitFor()
    expect(await page.locator('#verdict .probability').innerText()).not.toBe('')
    expect(await page.locator('.days').count()).toBe(0)
    await close()
  })

  test('a page open during a reorg is marked as outdated, and its next content is consistent', async () => {
    const request = { network: 'ETH', walletAddress: UNDONE }
    const compute = async () => (await world().ask('/fraud/check', { ...request, calculate: true })).body
    const { undo } = await world().pay(UNDONE)
    const before = await compute()
    const { page, faults, close } = await signedInAlone()
    await page.clock.install()
    await page.goto(`/console/ETH/${UNDONE}`)
    const verdict = page.locator('#verdict')
    await verdict.waitFor()
    await page.locator('.graph').waitFor()
    const incoming = () => page.locator('section[aria-labelledby=activity] svg.days').getAttribute('aria-label')
    expect(await incoming()).toContain('1 in, 12 out')
    const shown = await page.locator('#main').innerText()
    expect(shown).toContain('Received $')
    await undo()
    await expect.poll(async () => (await compute()).lastChecked, SOON).not.toBe(before.lastChecked)
    const after = await explained(UNDONE)
    // Nothing of the old page is put beside something new before somebody asks for it.
    expect(await page.locator('#main').innerText()).toBe(shown)
    await page.clock.fastForward('05:01')
    const stale = page.locator('#stale')
    await stale.getByText('out of date').waitFor()
    expect(await incoming()).toContain('1 in, 12 out')
    await stale.getByRole('link', { name: 'Show the newest' }).click()
    await expect.poll(incoming, SOON).toContain('0 in, 12 out')
    expect(await stale.count()).toBe(0)
    expect(await verdict.locator('.probability').innerText()).toBe(after.probabilityFraud)
    expect(await page.getByText('Received $0.00').count()).toBe(1)
    expect(faults).toEqual([])
    await close()
  })
}
