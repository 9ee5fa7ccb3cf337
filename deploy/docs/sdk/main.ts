/** `npm run sdk [FOLDER]`: writes the SDKs into the folder, `sdk` when none is named. */
import { join } from 'node:path'
import { canGeneratePython, generatePython, generateTypeScript, PYTHON_GENERATOR } from './generate.ts'

const [folder = 'sdk'] = process.argv.slice(2)
await generateTypeScript(join(folder, 'typescript'))
process.stdout.write(`Wrote ${join(folder, 'typescript')}\n`)
if (canGeneratePython()) {
  generatePython(folder)
  process.stdout.write(`Wrote ${join(folder, 'python')}\n`)
} else {
  process.stdout.write(
    `No Python client: ${PYTHON_GENERATOR} is not installed. Run pip install openapi-python-client==0.29.1 and start again.\n`,
  )
}
