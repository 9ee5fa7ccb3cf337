/** Signing in and out. The key goes to the server once and comes back as a cookie that no script can read. */
import { ask, read, send } from './base/api.js'
import { fill, h } from './base/dom.js'
import { problem } from './base/parts.js'

/** @typedef {{ key: string, tier: string, test: boolean, operations: string[] | null, networks: string[] | null }} Session What the key is held to; `null` for all */

/** Who is signed in. @returns {Promise<Session>} @throws {import('./base/api.js').Refusal} */
export const session = async () => (await read('/console/session')).body

export const signOut = async () => {
  await send('DELETE', '/console/session')
  tabs.postMessage(null)
}

/** Other tabs of the same browser share the cookie: they are told whose it is now, by the id of the key; nobody's is `null`. */
const tabs = new BroadcastChannel('assay-console')

/** Calls back when another tab signed in or out. @param {(key: string | null) => void} changed */
export const onOtherTab = (changed) => {
  tabs.onmessage = ({ data }) => changed(typeof data === 'string' ? data : null)
}

/** @param {object} credentials */
const signIn = async (credentials) => {
  const { body } = await ask('/console/session', credentials)
  tabs.postMessage(body.key)
}

/** Signs in by a link of the terminal. The token stood behind the `#` and is taken out of the address at once. @param {string} link */
export const signInByLink = (link) => signIn({ link })

/** The form that asks for a key. @param {() => void} done @param {unknown} [error] what came before */
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

/** Asks for a key in place of a page. @param {Element} place @param {() => void} done @param {unknown} [error] what came before */
export const showSignIn = (place, done, error) => {
  const { field, view } = signInForm(done, error)
  document.title = 'Sign in - Assay'
  fill(
    place,
    h('h1', {}, 'Sign in'),
    h('p', {}, 'Use an API key of yours. It is kept in a cookie that pages cannot read, for twelve hours at most.'),
    view,
  )
  field.focus()
}

/** Asks for a key above a page, which stays as it is. @param {Element} place @param {() => void} done */
export const showSignInAgain = (place, done) =>
  fill(
    place,
    h(
      'div',
      { class: 'banner', role: 'alert', id: 'signed-out' },
      h(
        'p',
        {},
        'You are signed out: twelve hours are over, or the key is not valid any more. What is below stays as it was.',
      ),
      signInForm(done).view,
    ),
  )
