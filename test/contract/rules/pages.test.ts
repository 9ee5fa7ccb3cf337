/** Rules of the pages: every link leads somewhere, the walk through the code names files that are there, the index of decisions is complete. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')
const pages = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { cwd: ROOT })
  .toString()
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(ROOT, file)))

const proseOf = (text: string): string => text.replaceAll(/^```[\s\S]*?^```/gm, '')

/** The anchors of a page, as GitHub makes them of its headings: lower case, no punctuation, a dash for each space. */
const anchorsOf = (text: string): Set<string> => {
  const seen = new Map<string, number>()
  return new Set(
    [...proseOf(text).matchAll(/^#+ +(.*)$/gm)].map(([, heading = '']) => {
      const plain = heading
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .trim()
        .toLowerCase()
      const slug = plain.replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-')
      const before = seen.get(slug) ?? 0
      seen.set(slug, before + 1)
      return before === 0 ? slug : `${slug}-${before}`
    }),
  )
}

/** Links of a page to files or headings that are not there. `textOf` is undefined where no file is; '' for folders. */
const broken = (page: string, text: string, textOf: (file: string) => string | undefined): string[] =>
  [
    ...proseOf(text)
      .replaceAll(/`[^`\n]*`/g, '`')
      .matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g),
  ]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#')
      const there = path === '' ? text : textOf(join(dirname(page), path))
      return there === undefined || (anchor !== undefined && !anchorsOf(there).has(anchor))
    })
    .map((link) => `${page}: ${link}`)

const onDisk = (file: string): string | undefined => {
  const path = join(ROOT, file)
  if (!existsSync(path)) return undefined
  return statSync(path).isDirectory() ? '' : readFileSync(path, 'utf8')
}

test('a link to a file, a heading of another page or of the same page that is not there is found', () => {
  const other = '# Two words, and `code`\n## Same\n## Same\n```sh\n# no heading\n```\n'
  const good = '# Here\n[a](b.md) [b](b.md#two-words-and-code) [c](#here) [d](b.md#same-1) [e](https://x/y) `[f](g)`\n'
  const bad = '[a](c.md) [b](b.md#two) [c](#there) [d](b.md#same-2) [e](b.md#no-heading)'
  const textOf = (file: string) => (file === 'docs/b.md' ? other : undefined)
  expect(broken('docs/a.md', good, textOf)).toEqual([])
  expect(broken('docs/a.md', bad, textOf)).toHaveLength(5)
})

test('every relative link and every anchor of a page leads somewhere', () => {
  expect(pages.length).toBeGreaterThan(100)
  expect(pages.flatMap((page) => broken(page, read(page), onDisk))).toEqual([])
})

test('every file and folder that the walk through the code names is there', () => {
  const named = [...read('docs/build/architecture.md').matchAll(/`([\w.-]+(?:\/[\w.-]+)+|[\w-]+\.(?:ts|sql))`/g)]
  const gone = named.map(([, path = '']) => path).filter((path) => !existsSync(join(ROOT, path)))
  expect(named.length).toBeGreaterThan(40)
  expect(gone).toEqual([])
})

test('every decision has a title and a status like the others, and a row of the index that repeats both', () => {
  const files = readdirSync(join(ROOT, 'docs/adr')).filter((name) => name !== 'README.md')
  const rows = read('docs/adr/README.md')
    .split('\n')
    .filter((line) => line.startsWith('| ['))
  const expected = files.map((file) => {
    const [, number, title, status] = /^# (\d+)\. (.+)\n\nStatus: (.+)\n\n/.exec(read(`docs/adr/${file}`)) ?? []
    return { file, start: `| [${number}](${file}) | ${title} | ${status} | ` }
  })
  for (const { file, start } of expected) {
    expect(start, file).toContain(`| [${Number(file.slice(0, 4))}](`)
    expect(rows.filter((row) => row.startsWith(start) && row.length > start.length + 5)).toHaveLength(1)
  }
  expect(rows).toHaveLength(files.length)
})
