/** The small pages beside the reference: one for each error code, and the versions of the API. */
import { ERROR_STATUS } from '../answers/answer.ts'
import { VERSION_HEADER, VERSIONS, type Version } from '../http/versions.ts'
import { ERROR_PAGES } from './errors.ts'
import { code, escaped, pageOf, table } from './markup.ts'

const BACK = '<p><a href="/docs">The reference</a> · <a href="/docs#errors">All errors</a></p>'

/** HTML of each error's page, by code. */
export const errorPages = (): Map<string, string> =>
  new Map(
    Object.entries(ERROR_PAGES).map(([name, { when, next, detail }]) => {
      const status = name === 'PAYMENT_REQUIRED' ? 402 : ERROR_STATUS[name as keyof typeof ERROR_STATUS]
      const body = { message: when, error: name, details: detail ? [detail] : [] }
      const shown = name === 'PAYMENT_REQUIRED' ? '' : `<pre>${escaped(JSON.stringify(body, null, 2))}</pre>`
      const text = `<main><h1>${code(name)}</h1><p class="quiet">HTTP status ${status}</p><h2>When</h2><p>${escaped(when)}</p>
<h2>What to do</h2><p>${escaped(next)}</p>${shown}${BACK}</main>`
      return [name, pageOf(`${name} · Assay API`, text)]
    }),
  )

/** HTML of the page of versions. */
export const versionsPage = (versions: readonly Version[] = VERSIONS): string =>
  pageOf(
    'Versions · Assay API',
    `<main><h1>Versions</h1>
<p>A version of the API is a date. Send it in the header ${code(VERSION_HEADER)} to get responses of that version; without the header you get
the newest version. The response names its version in the same header. Deprecated versions and paths have the headers ${code('deprecation')} and
${code('sunset')} for at least a year before they are removed.</p>
${table(
  ['Version', 'Deprecated since', 'Refused from'],
  versions.map(({ version, deprecated = '', sunset = '' }) => [code(version), escaped(deprecated), escaped(sunset)]),
)}
<p>New operations, optional request fields, response fields, error codes and reasons do not make a new version: ignore what you do not know.</p>
<p><a href="/docs">The reference</a></p></main>`,
  )
