/** The form to change alerts: state, outcome, comment, and author. */
import { h } from '../base/dom.js'

/**
 * @typedef {{ state?: string, outcome?: string, comment: string, author: string }} Done
 * @typedef {{ form: HTMLFormElement, first: HTMLElement, clear: () => void }} DoneForm `first` is its first field; `clear` empties all fields but the author
 */

const OUTCOMES = /** @type {const} */ ([
  ['false_positive', 'False positive: the change is wrong'],
  ['no_action', 'No action: the change is right, and no action is needed'],
  ['restricted', 'Restricted: the customer or address'],
  ['reported', 'Reported to an authority'],
])
/** Values and labels of the state. */
const MOVES = /** @type {const} */ ([
  ['', 'Only comment'],
  ['under_review', 'Under review'],
  ['closed', 'Close'],
  ['open', 'Open again'],
])

/** Last author, kept while the page is open. */
let lastAuthor = ''

/** @param {(done: Done) => Promise<void>} save @param {...import('../base/dom.js').Child} more further buttons @returns {DoneForm} */
export const doneForm = (save, ...more) => {
  const move = h('select', { id: 'move' }, ...MOVES.map(([value, name]) => h('option', { value }, name)))
  const outcome = h(
    'select',
    { id: 'outcome' },
    h('option', { value: '' }, 'Choose'),
    ...OUTCOMES.map(([value, name]) => h('option', { value }, name)),
  )
  const ofOutcome = h('span', { class: 'pair', hidden: true }, h('label', { for: 'outcome' }, 'Outcome'), outcome)
  const comment = h('textarea', { id: 'comment', rows: 4, maxlength: 4_000 })
  const author = h('input', { id: 'author', maxlength: 100, autocomplete: 'name' })
  author.value = lastAuthor
  const button = h('button', {}, 'Save')
  const chosen = () => {
    ofOutcome.hidden = move.value !== 'closed'
    outcome.required = move.value === 'closed'
    comment.required = move.value === ''
  }
  move.addEventListener('change', chosen)
  chosen()
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault()
    if (move.value === 'closed' && outcome.value === '') return outcome.focus()
    lastAuthor = author.value.trim()
    button.disabled = true
    try {
      await save({
        comment: comment.value,
        author: lastAuthor,
        ...(move.value !== '' && { state: move.value }),
        ...(move.value === 'closed' && { outcome: outcome.value }),
      })
    } finally {
      button.disabled = false
    }
  }
  const form = h(
    'form',
    { onsubmit: submit, class: 'alert' },
    h('span', { class: 'pair' }, h('label', { for: 'move' }, 'Do'), move),
    ofOutcome,
    h('label', { for: 'comment' }, 'Comment, kept with the alert'),
    comment,
    h('label', { for: 'author' }, 'Your name, shown beside the key (not verified)'),
    author,
    h('span', { class: 'pair' }, button, ...more),
  )
  return {
    form,
    first: move,
    clear: () => {
      comment.value = ''
      move.value = ''
      chosen()
    },
  }
}
