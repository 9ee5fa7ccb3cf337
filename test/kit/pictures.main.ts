/**
 * Takes the pictures of docs/pictures from a running demonstration: `npm start` in one terminal, `npm run pictures` in another.
 * ASSAY_DATA names the folder of the demonstration where it is not ./data.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser, openPage } from './browser.ts'
import { until } from './until.ts'

const DATA = process.env.ASSAY_DATA ?? 'data'
const FOLDER = join(import.meta.dirname, '../../docs/pictures')

const read = (file: string) => JSON.parse(readFileSync(join(DATA, file), 'utf8'))
const { url } = read('api.json') as { url: string }
const { enterprise } = read('keys.json') as { enterprise: string }
const actors = read('scenario.json') as { name: string; network: string; address: string }[]
const pathOf = (name: string) => {
  const actor = actors.find((one) => one.name === name)
  if (!actor) throw new Error(`The demonstration has no ${name}. Start it again with an empty ASSAY_DATA.`)
  return `/console/${actor.network}/${actor.address}`
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
const take = async (name: string, path: string, seen: string) => {
  await page.goto(path)
  const part = page.locator(seen).first()
  await part.waitFor()
  await part.scrollIntoViewIfNeeded()
  if (seen !== 'h1') await part.evaluate('(element) => element.scrollIntoView()')
  await page.screenshot({ path: join(FOLDER, `${name}.png`) })
}
await take(
  'search',
  `/console/?q=${encodeURIComponent(
    actors
      .slice(0, 6)
      .map(({ address }) => address)
      .join('\n'),
  )}`,
  'h1',
)
await take('wallet', pathOf('mixer-user'), 'h1')
await take('activity', pathOf('mixer-user'), '#activity')
await take('counterparties', pathOf('mixer-user'), '.graph')
for (const name of ['batch', 'watch', 'status', 'account']) await take(name, `/console/${name}`, 'h1')
await browser.close()
if (faults.length > 0) throw new Error(faults.join('\n'))
process.stdout.write(`Took the pictures of ${url} into docs/pictures. First paint: ${Math.round(firstPaint)} ms.\n`)
