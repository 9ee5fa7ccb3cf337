/** `npm run docs`: writes generated documents. */
import { writeFileSync } from 'node:fs'
import { writeDataDictionary } from './data-dictionary.ts'
import { writeDetectorDocs } from './detector-docs.ts'
import { describeErrors } from './error-reference.ts'
import { writeObservability } from './observability.ts'

writeFileSync(new URL('../../docs/use/errors.md', import.meta.url), describeErrors())
writeDataDictionary()
writeDetectorDocs()
writeObservability()
