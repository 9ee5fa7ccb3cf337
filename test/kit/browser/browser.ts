/** Headless Chromium, if installed, and detection of faults in pages. */
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** Headless shell first: it renders the same pages without a window and with fewer processes. */
const PLACES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
)

/** Path of the browser; `undefined` if there is none. */
export const chromiumPath = PLACES.find((place) => existsSync(place))

/** @throws Error if there is no Chromium (check `chromiumPath` first). */
export const openBrowser = (): Promise<Browser> => {
  if (!chromiumPath) throw new Error(`There is no Chromium at ${PLACES.join(', ')}.`)
  // Containers run tests as root and give browsers little shared memory.
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-dev-shm-usage'] })
}

export type ObservedPage = {
  page: Page
  /** Console messages, script errors and requests to other origins. */
  faults: string[]
  close: () => Promise<void>
}
/** A page that tests share one after the other: a new page costs a profile and a process. */
export type SharedPage = {
  /** Resets the page: no scripts, its own profile, no changes, only these cookies. */
  renew: (cookies: Cookies, expected: RegExp[]) => Promise<ObservedPage>
}
type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>

const DESKTOP = { width: 1280, height: 720 }

/** Records faults of a page; `expect` sets which faults are expected from then on. */
const watch = (page: Page, origin: string) => {
  let faults: string[] = []
  let expected: RegExp[] = []
  const note = (text: string) => {
    if (!expected.some((one) => one.test(text))) faults.push(text)
  }
  page.on('console', (message) => note(`console: ${message.text()}`))
  page.on('pageerror', (error) => note(`error: ${error.message}`))
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url())
    if (asked !== origin && protocol !== 'blob:' && protocol !== 'data:') note(`foreign request: ${request.url()}`)
  })
  return (regular: RegExp[]) => {
    expected = regular
    faults = []
    return faults
  }
}

/** Opens a page in its own profile. `expected` may contain error responses of the API. */
export const openPage = async (
  browser: Browser,
  origin: string,
  { expected = [], ...options }: BrowserContextOptions & { expected?: RegExp[] } = {},
): Promise<ObservedPage> => {
  const context = await browser.newContext({ baseURL: origin, viewport: DESKTOP, ...options })
  const page = await context.newPage()
  return { page, faults: watch(page, origin)(expected), close: () => context.close() }
}

/** Opens a page for reuse. Clocks and scripts that a test installs stay in a page: such a test opens its own page. */
export const openSharedPage = async (browser: Browser, origin: string): Promise<SharedPage> => {
  const context = await browser.newContext({ baseURL: origin, viewport: DESKTOP })
  const page = await context.newPage()
  const expect = watch(page, origin)
  return {
    renew: async (cookies, expected) => {
      for (const other of context.pages()) if (other !== page) await other.close()
      await page.unrouteAll()
      // A page of the same origin without scripts: navigating from about:blank, Chromium would start a process.
      await page.goto('/health')
      await page.emulateMedia({ media: null, colorScheme: 'light' })
      await page.setViewportSize(DESKTOP)
      await context.clearCookies()
      await context.addCookies(cookies)
      return { page, faults: expect(expected), close: async () => undefined }
    },
  }
}
