/** Serves the files of `page` as they are, compressed once. There is no build step. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { NETWORK_CODES, networkInfo } from '../../schema/networks.ts'
import { CONSOLE_PATH } from '../http/page-policy.ts'

/** Path prefix of the files. */
export const ASSETS_PATH = `${CONSOLE_PATH}assets/`

const FOLDER = new URL('page/', import.meta.url)
const INDEX = 'index.html'
const TYPES: Record<string, string> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
}

/** A file with its content type, plain and compressed. */
export type Asset = { type: string; body: Buffer; gzip: Buffer }

/** All files of the console, in memory. */
export type Assets = {
  /** HTML of the single page behind all paths of the console. */
  index: Buffer
  /** Path prefix of the files. Contains a hash of their content, so they can be cached forever. */
  base: string
  /** By path below `base`. */
  files: ReadonlyMap<string, Asset>
}

/** The module `networks.js`, generated from the network registry. */
const networksModule = (): string => {
  const networks = NETWORK_CODES.map((code) => {
    const { chainId, family, operations } = networkInfo(code)
    return { code, chainId, family, operations }
  })
  return `export const NETWORKS = ${JSON.stringify(networks)}\n`
}

/** Statically imported modules in a stable order, for preloading. */
const importedBy = (files: ReadonlyMap<string, Asset>, entry: string, known = new Set<string>()): Set<string> => {
  known.add(entry)
  const text = files.get(entry)?.body.toString('utf8') ?? ''
  for (const [, path = ''] of text.matchAll(/^import .*?from '(\.[^']+)'|^} from '(\.[^']+)'/gm)) {
    const name = new URL(path, `http://page/${entry}`).pathname.slice(1)
    if (!known.has(name)) importedBy(files, name, known)
  }
  return known
}

/** Reads and compresses all files. Takes some tens of milliseconds. */
export const loadAssets = (): Assets => {
  const files = new Map<string, Asset>()
  const add = (path: string, body: Buffer) => {
    const type = TYPES[path.split('.').at(-1) ?? '']
    if (type) files.set(path, { type, body, gzip: gzipSync(body, { level: 9 }) })
  }
  for (const path of readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).sort())
    if (path.includes('.')) add(path, readFileSync(new URL(path, FOLDER)))
  add('networks.js', Buffer.from(networksModule()))
  const digest = createHash('sha256')
  for (const [path, { body }] of files) digest.update(`${path}\0`).update(body)
  const base = `${ASSETS_PATH}${digest.digest('hex').slice(0, 16)}/`
  const preloads = [...importedBy(files, 'main.js')].map((path) => `<link rel="modulepreload" href="${base}${path}">`)
  const index = readFileSync(new URL(INDEX, FOLDER), 'utf8')
    .replaceAll('{{assets}}', base)
    .replace('{{preloads}}', preloads.join(''))
  return { index: Buffer.from(index), base, files }
}
