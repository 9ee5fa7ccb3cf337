/** The page of a token or contract. */
import { expect, test } from 'vitest'
import { HOSTILE_NAME, LISTED, SIBLING, TOKEN } from '../actors.ts'
import { type ConsoleKit, found, SOON } from '../kit.ts'
import { RUG_HISTORY } from '../token-told.ts'

export const tokenHolds = ({ world, signedIn, signedInAlone }: ConsoleKit): void => {
  test('a token page shows what the token can do in three states, and its liquidity over time', async () => {
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
      '2 contracts were created by its creator',
    )
    // Simulated trades: each step, what came of it, and the words of the refusal as a text.
    const trades = page.getByRole('region', { name: 'Simulated trades, step by step' })
    expect(await trades.locator('tbody tr').allInnerTexts()).toEqual([
      '1. A person buys, and sells a tenth ever later\tfresh\tnow\tBuy for 0.1 % of the pool\t✔ accepted\t500\t475\t5\t91,204\t',
      '1. A person buys, and sells a tenth ever later\tfresh\t1 h later\tSell 10.0 % of what it has\t✖ refused\t\t\t\t30,000\t<b onmouseover=alert(1)>TF</b>',
      '1. A person buys, and sells a tenth ever later\tfresh\t1 d later\tSell 10.0 % of what it has\t? not run\t\t\t\t\t',
      `2. An insider trades, once the owner has opened trading\t${LISTED}\tnow\tSell 0.1 % of what it has\t✔ accepted\t1\t1\t0\t1\t`,
    ])
    const simulated = await page.locator('section[aria-labelledby=simulation]').innerText()
    for (const part of [
      '2 of 4 steps were accepted, 1 refused, 1 not run',
      '10 existing holders tried to sell; 3 could not. In 1 sales almost nothing arrived.',
      'lost 5 to 97.5 % of a sale (median 5 %)',
      '2 of 40 holders lost their tokens',
      '41 accounts other than owner and creator sold it 112 times from 2026-09-25',
      'Of a transfer between two accounts 1.5 % does not arrive',
      'The token refused all of them',
    ])
      expect(simulated).toContain(part)
    // What is not known is no 0, and what holders are called is a text.
    const facts = await page.locator('section[aria-labelledby=facts]').innerText()
    expect(facts).toMatch(/Tax on selling\s+not known: no market to trade on/)
    expect(facts).toContain('graduated from it')
    expect(facts).toContain('12 were analysed, 1 of them are proved honeypots')
    const holders = page.getByRole('region', { name: 'Largest holders' })
    const rows = await holders.locator('tbody tr').allInnerTexts()
    expect(rows[0]).toMatch(/\t500000\t50\.0 %\taccount\t\s*creator\s+label: phishing/)
    expect(rows[1]).toContain('10.0 % of the supply until 2027-01-01')
    expect(rows[1]).toContain('<img src=x onerror=alert(1)>U+202E')
    expect(rows[1]).toContain('115792089237316195423570985008687907853.269984665640564039')
    for (const row of rows.slice(1)) expect(row).toContain('looks like another address here')
    expect(rows[2]).toContain('a locker, until a date that is not known')
    expect(await page.locator('img').count()).toBe(0)
    expect(await page.getByText('There may be more events than these').count()).toBe(1)
    // One removal: below the line, as high as the largest.
    const bars = await page
      .locator('.timeline rect')
      .evaluateAll((all) => all.map((bar) => ['y', 'height'].map((name) => bar.getAttribute(name))))
    expect(bars).toEqual([['50', '50']])
    expect(faults).toEqual([])
    await close()
  })

  test('saves every table as Parquet: numbers, exact texts, and nulls for unknown values', async () => {
    const { page, faults, close } = await signedIn({}, `/console/ETH/${TOKEN}/token`)
    const saved = async (caption: string) => {
      const table = page.locator('.table').filter({ has: page.getByRole('region', { name: caption }) })
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        table.getByRole('button', { name: 'Parquet' }).click(),
      ])
      return { name: download.suggestedFilename(), rows: await world().parquet(await download.path()) }
    }
    const trades = await saved('Simulated trades, step by step')
    expect(trades.name).toBe('simulation.parquet')
    // The engine writes whole numbers of 64 bits as texts.
    const step = { Trial: '1', 'What it tries': 'A person buys, and sells a tenth ever later', Account: null }
    expect(trades.rows.slice(0, 3)).toEqual([
      {
        ...{ ...step, When: '1', Step: 'buy', Outcome: 'accepted', 'Tokens sent': '500', Arrived: '475' },
        ...{ 'Tax, %': '5', Gas: '91204', Error: null },
      },
      {
        ...{ ...step, When: '3600', Step: 'sell', Outcome: 'refused', 'Tokens sent': null, Arrived: null },
        ...{ 'Tax, %': null, Gas: '30000', Error: '<b onmouseover=alert(1)>TF</b>' },
      },
      {
        ...{ ...step, When: '90000', Step: 'sell', Outcome: 'not_run', 'Tokens sent': null, Arrived: null },
        ...{ 'Tax, %': null, Gas: null, Error: null },
      },
    ])
    const holders = await saved('Largest holders')
    expect(holders.rows.map((row) => [row.Tokens, row.Share, row['Known as']])).toEqual([
      ['500000', 0.5, 'creator, label: phishing'],
      ['115792089237316195423570985008687907853.269984665640564039', 0.1, HOSTILE_NAME],
      ['1', 0.000_001, 'locker'],
    ])
    // More rows than a byte has bits, and a column without a number.
    const powers = await saved('What the contract and its owner can do')
    expect(powers.rows.length).toBeGreaterThan(20)
    expect(powers.rows.find((row) => row.Indicator === 'is_honeypot')).toMatchObject({ Holds: 'unknown' })
    expect(faults).toEqual([])
    await close()
  })

  test('a token without an explained verdict is shown without claiming that its zeros are known', async () => {
    const { page, close } = await signedIn({}, `/console/ETH/${LISTED}/token`)
    await page.getByRole('alert').waitFor()
    expect(await page.locator('#main').innerText()).toContain('"no" may also mean that it could not be checked')
    await close()
  })

  test('a token page whose verdict changes while open marks everything as outdated', async () => {
    const { page, faults, close } = await signedInAlone()
    await page.clock.install()
    await page.goto(`/console/ETH/${TOKEN}/token`)
    await page.locator('#hash').waitFor()
    await page.clock.fastForward('05:01')
    const { body } = await world().ask('/rug/history', { network: 'ETH', walletAddress: TOKEN })
    const [now, ...then] = body.verdicts
    const changed = { ...now, version: now.version + 1, status: 'Not Fraud', probabilityFraud: 0.31 }
    expect(await page.locator('#stale').count()).toBe(0)
    await page.route('**/rug/history', (route) =>
      route.fulfill({ json: { ...body, verdicts: [changed, now, ...then] } }),
    )
    await page.clock.fastForward('05:01')
    await page.locator('#stale').getByText('is Not Fraud, 0.31').waitFor()
    await page.unroute('**/rug/history')
    await page.getByRole('link', { name: 'Show the newest' }).click()
    await page.locator('#stale').waitFor({ state: 'detached' })
    expect(faults).toEqual([])
    await close()
  })

  test('the link of a token verdict shows that verdict, its hash and why it changed, and can be printed', async () => {
    const { page, faults, close } = await signedInAlone(
      { permissions: ['clipboard-read', 'clipboard-write'] },
      `/console/ETH/${TOKEN}/token`,
    )
    const { body } = await world().ask('/rug/history', { network: 'ETH', walletAddress: TOKEN })
    const [now, then] = body.verdicts
    expect([now.version, then.version]).toEqual(RUG_HISTORY.map(({ version }) => version).toReversed())
    const rows = page.getByRole('region', { name: 'Verdicts, newest first' }).locator('tbody tr')
    await expect.poll(() => rows.count(), SOON).toBe(2)
    expect(await rows.first().innerText()).toContain('Is mintable: none before, 1 now')
    expect(await page.locator('#hash').innerText()).toBe(now.hash)
    await page.getByRole('button', { name: 'Copy link' }).click()
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
    await expect.poll(copied, SOON).toBe(`${world().origin}/console/ETH/${TOKEN}/token?at=${now.version}`)
    await page.goto(`/console/ETH/${TOKEN}/token?at=${now.version - 1}`)
    await page.locator('#banner').getByText('as of block 600').waitFor()
    expect(await page.locator('#verdict').innerText()).toMatch(/Not Fraud 0\.2\b/)
    expect(await page.locator('#hash').innerText()).toBe(then.hash)
    expect(await page.getByRole('region', { name: /^What the contract/ }).innerText()).toMatch(/Is mintable\s+no/)
    expect(await page.locator('#main').innerText()).not.toMatch(/[\u202e\u200b]/)
    expect(await found(page)).toEqual([])
    await page.goto(`/console/ETH/${TOKEN}/token?at=1`)
    await page.getByRole('heading', { name: 'No verdict from that time' }).waitFor()
    expect(faults).toEqual([])
    await close()
  })
}
