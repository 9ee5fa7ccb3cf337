/** Generates SDKs from the OpenAPI document into a folder: `typescript` and, if its generator is installed, `python`. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTS, { astToString } from 'openapi-typescript'
import ts from 'typescript'
import { CONTRACT_VERSION, openapi } from '../../../api/docs/openapi/document.ts'
import { VERSIONS } from '../../../api/http/versions.ts'

/** Generator of the Python client, as `pip install openapi-python-client==0.29.1` installs it. */
export const PYTHON_GENERATOR = process.env.OPENAPI_PYTHON_CLIENT ?? 'openapi-python-client'

const read = (name: string): string => readFileSync(new URL(`typescript/${name}`, import.meta.url), 'utf8')

const ownPackage = (): { devDependencies: Record<string, string> } =>
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

/** Writes the TypeScript client: sources, JavaScript, types, and a package that npm installs. */
export const generateTypeScript = async (folder: string): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  const document = openapi() as unknown as Parameters<typeof openapiTS>[0]
  writeFileSync(join(folder, 'schema.d.ts'), astToString(await openapiTS(document, { defaultNonNullable: false })))
  const source = read('client.ts').replace('{{version}}', VERSIONS[0].version)
  const options: ts.TranspileOptions = {
    fileName: 'client.ts',
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      isolatedDeclarations: true,
      declaration: true,
    },
  }
  const declared = ts.transpileDeclaration(source, options)
  writeFileSync(join(folder, 'client.js'), ts.transpileModule(source, options).outputText)
  writeFileSync(join(folder, 'client.d.ts'), declared.outputText)
  const filled = read('package.json')
    .replace('{{version}}', CONTRACT_VERSION)
    .replace('{{openapi-fetch}}', ownPackage().devDependencies['openapi-fetch'] ?? '')
  writeFileSync(join(folder, 'package.json'), filled)
}

/** Whether the generator of the Python client is installed. */
export const canGeneratePython = (): boolean => spawnSync(PYTHON_GENERATOR, ['--version']).status === 0

/** Writes the Python client. @throws Error with the generator's output if it omits an operation */
export const generatePython = (folder: string): void => {
  mkdirSync(folder, { recursive: true })
  const document = join(folder, 'openapi.json')
  const config = join(folder, 'config.json')
  writeFileSync(document, JSON.stringify(openapi()))
  writeFileSync(
    config,
    JSON.stringify({
      project_name_override: 'assay-client',
      package_name_override: 'assay_client',
      post_hooks: [],
      // Lists are sent as they are.
      content_type_overrides: {
        'text/csv': 'application/octet-stream',
        'application/x-ndjson': 'application/octet-stream',
      },
    }),
  )
  const { status, stdout, stderr, error } = spawnSync(
    PYTHON_GENERATOR,
    ['generate', '--path', document, '--config', config, '--output-path', join(folder, 'python'), '--overwrite'],
    { encoding: 'utf8' },
  )
  const output = `${stdout}${stderr}`
  if (status !== 0) throw new Error(`The generator failed. ${output}`, { cause: error })
  for (const file of [document, config]) rmSync(file)
  if (output.includes('will not be generated')) throw new Error(`The generator left something out:\n${output}`)
}
