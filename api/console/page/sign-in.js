/** Signing in and out. The key goes to the server once and comes back as a cookie that no script can read. */
import { ask, read, send } from './base/api.js'
import { fill, h } from './base/dom.js'
import { problem } from './base/parts.js'

/** @typedef {{ key: string, tier: string, test: boolean, operations: string[] | null, networks: string[] | null }} Session What the key is held to; `null` for all */

/** Who is signed in. @returns {Promise<Session>} @throws {import('./base/api.js').Refusal} */
export const session = async () => (await read('/console/session')).body

export const signOut = () => send('DELETE', '/console/session')

/** Signs in by a link of the terminal. The token stood behind the `#` and is taken out of the address at once. @param {string} link */
export const signInByLink = (link) => ask('/console/session', { link })

/**
 * The form that asks for a key.
 *
 * @param {Element} place @param {() => void} done @param {unknown} [error] what came before
 */
export const showSignIn = (place, done, error) => {
  const field = h('input', { id: 'key', type: 'password', autocomplete: 'off', spellcheck: 'false', required: true })
  const said = h('div', {}, error !== undefined && problem(error))
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault()
    try {
      await ask('/console/session', { key: field.value.trim() })
      done()
    } catch (refusal) {
      fill(said, problem(refusal))
    } finally {
      field.value = ''
    }
  }
  document.title = 'Sign in - Assay'
  fill(
    place,
    h('h1', {}, 'Sign in'),
    h('p', {}, 'Use an API key of yours. It is kept in a cookie that pages cannot read, for twelve hours at most.'),
    said,
    h(
      'form',
      { onsubmit: submit, class: 'sign-in' },
      h('label', { for: 'key' }, 'API key'),
      field,
      h('button', {}, 'Sign in'),
    ),
  )
  field.focus()
}
