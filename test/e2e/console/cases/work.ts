/** Lists, watch lists and alerts, and the key. */
import { expect, test } from 'vitest'
import { QUESTIONS } from '../../../../api/console/page/questions/list.js'
import { startReceiver } from '../../../contract/api/monitoring/webhooks.kit.ts'
import { HOSTILE_NAME, LISTED, TRADER, WATCHED } from '../actors.ts'
import { type ConsoleKit, found, SOON, textOf } from '../kit.ts'

export const workHolds = ({ world, signedIn, signedInAlone, explained }: ConsoleKit): void => {
  test('a list is uploaded, followed, read, downloaded and removed', async () => {
    const { page, faults, close } = await signedIn({}, '/console/batch')
    const csv = `address,reference\n${TRADER},=1+1\n${LISTED},customer 2\nnonsense,customer 3\n`
    await page.getByLabel('File').setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    const preview = page.getByRole('region', { name: 'The first rows of list.csv, as they are read' })
    await preview.waitFor()
    expect(await preview.innerText()).toContain('=1+1')
    expect(await page.locator('#cost').innerText()).toBe('3 rows: your key has no limit.')
    expect(await found(page)).toEqual([])
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
    expect(await textOf(download)).toContain("'=1+1")
    const [parquet] = await Promise.all([
      page.waitForEvent('download'),
      page.getByText('Download all as Parquet').click(),
    ])
    expect((await world().parquet(await parquet.path())).map(({ reference }) => reference)).toEqual([
      '=1+1',
      'customer 2',
      'customer 3',
    ])
    await page.getByRole('button', { name: 'Remove this list' }).click()
    await page.getByText('None yet.').waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('addresses are watched, an endpoint is notified once of a changed verdict, and the page shows the delivery', async () => {
    const receiver = await startReceiver()
    const { page, faults, close } = await signedIn({}, '/console/watch')
    const list = page.locator('#watched')
    expect(await list.innerText()).toContain('0 of at most 1,000')
    // Pasted as people do: an id that names its chain, and a bare address.
    await page
      .getByLabel(/^Addresses/)
      .last()
      .fill(`eip155:1:${WATCHED}\n${LISTED}`)
    await page.getByRole('button', { name: 'Watch these' }).click()
    await expect.poll(() => list.innerText(), SOON).toContain('2 of at most 1,000')
    await page.getByRole('button', { name: `Stop watching ${LISTED} on ETH` }).click()
    await expect.poll(() => list.innerText(), SOON).toContain('1 of at most 1,000')
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
    expect(await list.innerText()).toContain('1 of at most 1,000')

    await page.getByLabel('URL').fill(receiver.url)
    await page.getByLabel('Description').fill(HOSTILE_NAME)
    await page.getByRole('button', { name: 'Add endpoint' }).click()
    const secret = await page.getByText('It is not shown again').locator('code').innerText()
    expect(secret).toMatch(/^whsec_/)
    await world().judge(WATCHED, [])
    await world().judge(WATCHED, ['phishing_activities'])
    await expect.poll(() => receiver.received.length, SOON).toBeGreaterThan(0)
    const [event] = receiver.events(secret)
    const alerts = page.getByRole('region', { name: 'Deliveries, newest first' })
    const shown = async () => {
      await page.getByRole('button', { name: 'Refresh deliveries' }).click()
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
    await page.getByText('No endpoints yet.').waitFor()
    expect(await page.locator('img').count()).toBe(0)
    expect(faults.filter((fault) => !fault.includes('400'))).toEqual([])
    await close()
    await receiver.close()
  })

  test('an installation without watch lists and webhooks differs from an empty list', async () => {
    const { page, close } = await signedIn({ expected: [/503/] })
    const json = { message: 'This server sends no webhooks.', error: 'ANALYSIS_NOT_AVAILABLE', details: [] }
    await page.route('**/webhooks', (route) => route.fulfill({ status: 503, json }))
    await page.goto('/console/watch')
    await page.getByRole('alert').getByText('This server sends no webhooks.').waitFor()
    await page.locator('#watched').waitFor()
    expect(await page.getByText('No endpoints yet.').count()).toBe(0)
    await close()
  })

  test('the network status is that of the API, names the network furthest behind, and does not refresh while it is being read', async () => {
    const { page, faults, close } = await signedInAlone()
    await page.clock.install()
    await page.goto('/console/status')
    const networks = page.getByRole('region', { name: 'Networks' })
    const row = networks.locator('tbody tr').first()
    expect(await row.innerText()).toBe('ETH\tyes\trunning\t702\t700\t690\t700\t690\tindexing, 2 blocks\t24 s')
    const was = { ...world().status.networks[0] }
    Object.assign(world().status.networks[0] ?? {}, { head: 702, published: 702, stored: 690 })
    await networks.focus()
    await page.clock.fastForward('00:06')
    await page.getByText('Updates continue when you leave the table').waitFor()
    expect(await row.innerText()).toContain('indexing, 2 blocks')
    await page.locator('#main').focus()
    await page.clock.fastForward('00:06')
    await expect.poll(() => row.innerText(), SOON).toContain('into tables, 12 blocks')
    Object.assign(world().status.networks[0] ?? {}, was)
    expect(faults).toEqual([])
    await close()
  })

  test('describes the key with its restrictions, calls and commands', async () => {
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

  test('questions of the cookbook refer to the chosen wallet, and can be copied as a command', async () => {
    const { page, faults, close } = await signedInAlone(
      { permissions: ['clipboard-read', 'clipboard-write'] },
      `/console/questions?network=BNB&address=${TRADER}`,
    )
    const questions = page.locator('.question')
    expect(await questions.count()).toBe(QUESTIONS.length)
    const first = questions.first()
    await first.locator('summary').click()
    expect(await first.locator('pre').innerText()).toContain(`network = 'BNB' AND address = '${TRADER}'`)
    await page.getByLabel('Format of the command').selectOption('parquet')
    await first.getByRole('button', { name: 'Copy command' }).click()
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
    await expect.poll(copied, SOON).toMatch(/^assay sql --format parquet --output question-1\.parquet <<'SQL'\n/)
    await page.getByLabel('Address', { exact: true }).fill("x' OR '1")
    await page.getByLabel('Network').selectOption('BASE')
    await page.getByText('This is not an address').waitFor()
    // What is open stays open.
    expect(await first.locator('pre').innerText()).toMatch(/network = 'BASE' AND address = '0x0{10,}a11ce'/)
    expect(faults).toEqual([])
    await close()
  })
}
