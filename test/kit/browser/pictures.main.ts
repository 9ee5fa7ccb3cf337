/**
 * Takes the pictures of docs/pictures from a running demonstration: `npm start` in one terminal, `npm run pictures` in another.
 * ASSAY_DATA names the folder of the demonstration where it is not ./data.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { until } from '../until.ts'
import { openBrowser, openPage } from './browser.ts'

const DATA = process.env.ASSAY_DATA ?? 'data'
const FOLDER = join(import.meta.dirname, '../../../docs/pictures')

const read = (file: string) => JSON.parse(readFileSync(join(DATA, file), 'utf8'))
const { url } = read('api.json') as { url: string }
const { enterprise } = read('keys.json') as { enterprise: string }
const actors = read('scenario.json') as { name: string; network: string; address: string }[]
const subjectOf = (name: string) => {
  const actor = actors.find((one) => one.name === name)
  if (!actor) throw new Error(`The demonstration has no ${name}. Start it again with an empty ASSAY_DATA.`)
  return actor
}
const pathOf = (name: string) => {
  const { network, address } = subjectOf(name)
  return `/console/${network}/${address}`
}
/** The first contract of an account of the scenario. */
const tokenPathOf = async (name: string) => {
  const { network, address } = subjectOf(name)
  const response = await fetch(`${url}/fraud/creations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': enterprise },
    body: JSON.stringify({ network, walletAddress: address }),
  })
  const { newest } = (await response.json()) as { newest: { contract: string }[] }
  return `/console/${network}/${newest.at(-1)?.contract}/token`
}

const browser = await openBrowser()
const { page, faults } = await openPage(browser, url, {
  expected: [/401/],
  viewport: { width: 1100, height: 760 },
  colorScheme: 'light',
})
mkdirSync(FOLDER, { recursive: true })
await page.goto('/console/')
const paint = () => page.evaluate<number>(`performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0`)
const firstPaint = await until('the page is painted', paint)
await page.getByLabel('API key').fill(enterprise)
await page.getByLabel('API key').press('Enter')
await page.getByRole('heading', { name: 'Check a wallet' }).waitFor()

/** Opens a page, waits for what is to be seen, and takes it into the picture. */
const take = async (name: string, path: string, seen: string, whole = seen) => {
  await page.goto(path)
  const part = page.locator(seen).first()
  await part.waitFor()
  // What is above it has its height.
  await page.locator(whole).first().waitFor()
  await part.scrollIntoViewIfNeeded()
  if (seen !== 'h1') await part.evaluate((element) => element.scrollIntoView())
  await page.screenshot({ path: join(FOLDER, `${name}.png`) })
}
/** Several wallets of the scenario, as pasted by a user. */
const several = ['sanctioned', 'mixer-user', 'exchange', 'veteran-1', 'newcomer'].map((name) => subjectOf(name).address)
await take('search', `/console/?q=${encodeURIComponent(several.join('\n'))}`, 'h1')
await take('wallet', pathOf('mixer-user'), 'h1')
await take('activity', pathOf('mixer-user'), '#activity', '.graph')
await take('counterparties', pathOf('mixer-user'), '.graph')
await take('token', await tokenPathOf('honeypot-deployer'), 'h1')
await page.goto('/console/batch')
const list = several.map((address, nth) => `${address},customer ${nth + 1}`).join('\n')
const buffer = Buffer.from(`address,reference\n${list}\n`)
await page.getByLabel('File').setInputFiles({ name: 'customers.csv', mimeType: 'text/csv', buffer })
await page.locator('#cost').getByText('rows').waitFor()
await page.screenshot({ path: join(FOLDER, 'batch.png') })
for (const name of ['watch', 'alerts', 'questions', 'status', 'account']) await take(name, `/console/${name}`, 'h1')
await browser.close()
if (faults.length > 0) throw new Error(faults.join('\n'))
process.stdout.write(`Took the pictures of ${url} into docs/pictures. First paint: ${Math.round(firstPaint)} ms.\n`)
