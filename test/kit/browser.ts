/** Headless Chromium, where the machine has one, and what pages do that they should not. */
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Path of the browser; `undefined` where there is none. */
export const chromiumPath = PLACES.find((place) => existsSync(place))

/** @throws Error when the machine has no Chromium: ask `chromiumPath` first. */
export const openBrowser = (): Promise<Browser> => {
  if (!chromiumPath) throw new Error(`There is no Chromium at ${PLACES.join(', ')}.`)
  // Containers run tests as root and give browsers little shared memory.
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

export type Watched = {
  page: Page
  /** Console messages, errors of scripts, and requests to other origins. */
  faults: string[]
  close: () => Promise<void>
}

/** Opens a page in a profile of its own. Answers of the API that are refusals may be among `expected`. */
export const openPage = async (
  browser: Browser,
  origin: string,
  { expected = [], ...options }: BrowserContextOptions & { expected?: RegExp[] } = {},
): Promise<Watched> => {
  const context = await browser.newContext({ baseURL: origin, ...options })
  const page = await context.newPage()
  const faults: string[] = []
  const note = (text: string) => {
    if (!expected.some((one) => one.test(text))) faults.push(text)
  }
  page.on('console', (message) => note(`console: ${message.text()}`))
  page.on('pageerror', (error) => note(`error: ${error.message}`))
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url())
    if (asked !== origin && protocol !== 'blob:' && protocol !== 'data:') note(`foreign request: ${request.url()}`)
  })
  return { page, faults, close: () => context.close() }
}
