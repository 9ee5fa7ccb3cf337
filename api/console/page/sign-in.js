/** Signing in and out. The key is sent to the server once and kept in a cookie that scripts cannot read. */
import { ask, read, send } from './base/api.js'
import { fill, h } from './base/dom.js'
import { problem } from './base/parts.js'

/** @typedef {{ key: string, tier: string, test: boolean, operations: string[] | null, networks: string[] | null }} Session Restrictions of the key; `null` for all */

/** The current session. @returns {Promise<Session>} @throws {import('./base/api.js').Refusal} */
export const session = async () => (await read('/console/session')).body

export const signOut = async () => {
  await send('DELETE', '/console/session')
  tabs.postMessage(null)
}

/** Notifies other tabs, which share the cookie, of the id of the new key, or `null` after signing out. */
const tabs = new BroadcastChannel('assay-console')

/** Registers a callback for another tab signing in or out. @param {(key: string | null) => void} changed */
export const onOtherTab = (changed) => {
  tabs.onmessage = ({ data }) => changed(typeof data === 'string' ? data : null)
}

/** @param {object} credentials */
const signIn = async (credentials) => {
  const { body } = await ask('/console/session', credentials)
  tabs.postMessage(body.key)
}

/** Signs in with the token of a sign-in link. @param {string} link */
export const signInByLink = (link) => signIn({ link })

/** The sign-in form. @param {() => void} done @param {unknown} [error] earlier error to show */
const signInForm = (done, error) => {
  const field = h('input', { id: 'key', type: 'password', autocomplete: 'off', spellcheck: 'false', required: true })
  const said = h('div', {}, error !== undefined && problem(error))
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault()
    try {
      await signIn({ key: field.value.trim() })
      done()
    } catch (refusal) {
      fill(said, problem(refusal))
    } finally {
      field.value = ''
    }
  }
  const form = h(
    'form',
    { onsubmit: submit, class: 'sign-in' },
    h('label', { for: 'key' }, 'API key'),
    field,
    h('button', {}, 'Sign in'),
  )
  return { field, view: [said, form] }
}

/** Shows the sign-in form instead of a page. @param {Element} place @param {() => void} done @param {unknown} [error] earlier error to show */
export const showSignIn = (place, done, error) => {
  const { field, view } = signInForm(done, error)
  document.title = 'Sign in - Assay'
  fill(
    place,
    h('h1', {}, 'Sign in'),
    h('p', {}, 'Sign in with your API key. It is kept for twelve hours in a cookie that scripts cannot read.'),
    view,
  )
  field.focus()
}

/** Shows the sign-in form above the current page. @param {Element} place @param {() => void} done */
export const showSignInAgain = (place, done) =>
  fill(
    place,
    h(
      'div',
      { class: 'banner', role: 'alert', id: 'signed-out' },
      h(
        'p',
        {},
        'You are signed out: the session expired after twelve hours, or the key is no longer valid. The page below was not changed.',
      ),
      signInForm(done).view,
    ),
  )
