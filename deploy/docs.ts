/** `npm run docs`: writes the documents that are made from the system itself. */
import { writeDataDictionary } from './data-dictionary.ts'

writeDataDictionary()
