/** The frame of the console: header, keyboard shortcuts and routing. The URL holds the whole state of a page. */
import { decoded } from './base/address.js'
import { Refusal, SIGNED_OUT } from './base/api.js'
import { announce, fill, h } from './base/dom.js'
import { problem } from './base/parts.js'
import { ROW_KEYS, rowKey } from './base/rows.js'
import { onOtherTab, session, showSignIn, showSignInAgain, signInByLink, signOut } from './sign-in.js'

/**
 * @typedef {{ network: string, address: string, query: URLSearchParams, session: import('./sign-in.js').Session, signal: AbortSignal }} Visit
 * @typedef {(main: HTMLElement, visit: Visit) => Promise<void> | void} Page Renders the page. The frame shows its errors.
 */

/** @type {Record<string, () => Promise<{ show: Page }>>} */
const PAGES = {
  search: () => import('./pages/search.js'),
  wallet: () => import('./pages/wallet.js'),
  token: () => import('./pages/token.js'),
  batch: () => import('./pages/batch.js'),
  watch: () => import('./pages/watch.js'),
  alerts: () => import('./pages/alerts.js'),
  questions: () => import('./pages/questions.js'),
  status: () => import('./pages/status.js'),
  account: () => import('./pages/account.js'),
}
/** @type {readonly (readonly [key: string, path: string, name: string])[]} */
const MENU = [
  ['h', '/console/', 'Search'],
  ['b', '/console/batch', 'Lists'],
  ['w', '/console/watch', 'Watch'],
  ['a', '/console/alerts', 'Alerts'],
  ['q', '/console/questions', 'Questions'],
  ['s', '/console/status', 'Status'],
  ['k', '/console/account', 'Key and usage'],
]

const main = /** @type {HTMLElement} */ (document.getElementById('main'))
const top = /** @type {HTMLElement} */ (document.getElementById('top'))
/** Notices above the page, about the session. */
const notice = h('div', {})
main.before(notice)
let leaving = new AbortController()
/** @type {import('./sign-in.js').Session | undefined} */
let who

/** @returns {{ page: string, network: string, address: string }} */
const routeOf = (/** @type {string} */ pathname) => {
  const parts = pathname
    .replace(/^\/console\/?/, '')
    .split('/')
    .map(decoded)
  const [first = '', address = '', tab = ''] = parts
  if (first === '') return { page: 'search', network: '', address: '' }
  if (address === '') return { page: first, network: '', address: '' }
  return { page: tab === '' ? 'wallet' : tab, network: first.toUpperCase(), address }
}

const show = async () => {
  leaving.abort()
  leaving = new AbortController()
  const { signal } = leaving
  const { page, network, address } = routeOf(location.pathname)
  for (const link of top.querySelectorAll('nav a')) {
    if (link.getAttribute('href') === location.pathname) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
  main.className = ''
  fill(notice)
  fill(main, h('p', { role: 'status', class: 'loading' }, 'Loading ...'))
  try {
    who ??= await session()
    const load = Object.hasOwn(PAGES, page) ? PAGES[page] : undefined
    if (!load) throw new Refusal(404, { message: 'The console has no such page.', error: 'UNKNOWN_PAGE', details: [] })
    const { show: showPage } = await load().catch(() => {
      throw new Error('The console was updated since you opened it. Reload the page.')
    })
    if (signal.aborted) return
    await showPage(main, { network, address, query: new URLSearchParams(location.search), session: who, signal })
    if (signal.aborted) return
    const heading = main.querySelector('h1')
    document.title = `${heading?.textContent ?? 'Console'} - Assay`
    announce(document.title)
  } catch (error) {
    if (signal.aborted) return
    if (error instanceof Refusal && error.status === 401) {
      who = undefined
      fill(notice)
      showSignIn(main, show)
    } else fill(main, h('h1', {}, 'Console'), problem(error, show))
  }
}

/** Navigates to another page of the console. @param {string} path */
const go = async (path) => {
  history.pushState(null, '', path)
  await show()
  if (!main.contains(document.activeElement)) main.focus()
  scrollTo(0, 0)
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
  if (!link || !isPlain || link.origin !== location.origin || link.hasAttribute('download') || link.hash !== '') return
  if (!link.pathname.startsWith('/console/')) return
  event.preventDefault()
  go(link.pathname + link.search)
})
document.addEventListener('console:go', (event) => go(/** @type {CustomEvent<string>} */ (event).detail))

const field = h('textarea', {
  id: 'search',
  name: 'q',
  rows: 1,
  'aria-label': 'Addresses, one a line',
  placeholder: 'Address, explorer link or CAIP-10 id',
  spellcheck: 'false',
  autocomplete: 'off',
})
const search = () => go(`/console/?q=${encodeURIComponent(field.value.trim())}`)
const submit = (/** @type {Event} */ event) => {
  event.preventDefault()
  search()
}
field.addEventListener('keydown', (event) => {
  // The shortcut was pressed in the empty field itself.
  if (event.key === '/' && field.value === '') event.preventDefault()
  if (event.key === 'Enter' && !event.shiftKey) submit(event)
})
field.addEventListener('input', () => {
  field.rows = Math.min(8, field.value.split('\n').length)
})

/** Single-key shortcuts can be turned off (WCAG 2.1.4), for example for speech input. */
const areOn = h('input', { type: 'checkbox', checked: true })
const help = h(
  'dialog',
  { 'aria-labelledby': 'help-title' },
  h('h2', { id: 'help-title' }, 'Keys'),
  h(
    'dl',
    { class: 'keys' },
    ...[
      ['/', 'Search'],
      ...MENU.map(([key, , name]) => [`g ${key}`, name]),
      ...ROW_KEYS,
      ['y', 'Copy the link to this page'],
      ['?', 'This list'],
    ].flatMap(([key, name]) => [h('dt', {}, h('kbd', {}, key)), h('dd', {}, name)]),
  ),
  h('p', {}, h('label', {}, areOn, ' Use these keys. They are enabled again when the console is reloaded.')),
  h('form', { method: 'dialog' }, h('button', {}, 'Close')),
)

let afterG = false
document.addEventListener('keydown', async (event) => {
  const { key, target } = event
  const isTyping = target instanceof HTMLElement && target.matches('input:not([type=checkbox]), textarea, select')
  if (!areOn.checked || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  if (document.querySelector('dialog[open]')) return
  const wasG = afterG
  afterG = key === 'g'
  const [, path] = (wasG && MENU.find(([letter]) => letter === key)) || []
  if (path) await go(path)
  else if (key === '/') {
    event.preventDefault()
    field.focus()
    field.select()
  } else if (key === '?') help.showModal()
  else if (key === 'y') {
    await navigator.clipboard.writeText(location.href).then(
      () => announce('Copied the link to this page'),
      () => announce('The browser blocked copying'),
    )
  } else if (rowKey(main, key)) event.preventDefault()
})

/** Called after signing in again above a page. Reloads the page if the key is another one. */
const signedInAgain = async () => {
  const before = who
  try {
    who = await session()
  } catch (error) {
    return fill(notice, problem(error))
  }
  fill(notice)
  announce('You are signed in again')
  return before?.key === who.key ? undefined : show()
}
document.addEventListener(SIGNED_OUT, () => {
  if (who && notice.childElementCount === 0) showSignInAgain(notice, signedInAgain)
})
onOtherTab((key) => {
  if (key !== null && key === who?.key) return fill(notice)
  who = undefined
  return show()
})

const leave = async () => {
  await signOut().catch(() => undefined)
  who = undefined
  await show()
}

fill(
  top,
  h('a', { href: '/console/', class: 'name' }, 'Assay'),
  h('form', { role: 'search', onsubmit: submit }, field, h('button', {}, 'Search')),
  h(
    'nav',
    { 'aria-label': 'Pages' },
    ...MENU.map(([, path, name]) => h('a', { href: path }, name)),
    h('a', { href: '/docs' }, 'API'),
  ),
  h('button', { type: 'button', onclick: () => help.showModal(), 'aria-label': 'Keys' }, '?'),
  h('button', { type: 'button', onclick: leave }, 'Sign out'),
  help,
)

/** Signs in with the token of a sign-in link, and removes the token from the URL. */
const enter = async () => {
  const [, link] = /^#link=([\w-]+)$/.exec(location.hash) ?? []
  if (link === undefined) return show()
  history.replaceState(null, '', '/console/')
  who = undefined
  try {
    await signInByLink(link)
  } catch (error) {
    return showSignIn(main, show, error)
  }
  return show()
}
addEventListener('popstate', enter)
enter()
