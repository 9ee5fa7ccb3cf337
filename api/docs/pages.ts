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
<p>A version of the API is a date. Send it in the header ${code(VERSION_HEADER)} to be answered as it was then; without the header the newest version
answers. The same header of the answer names the version. What is advised against has the headers ${code('deprecation')} and ${code('sunset')} for a
year at least before it is gone.</p>
${table(
  ['Version', 'Advised against since', 'Refused from'],
  versions.map(({ version, deprecated = '', sunset = '' }) => [code(version), escaped(deprecated), escaped(sunset)]),
)}
<p>New operations, new optional fields of requests, new fields of answers, new error codes and new reasons are no new version: ignore what you do not know.</p>
<p><a href="/docs">The reference</a></p></main>`,
  )
