import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createProgram } from '../program.ts'
import { completionOf } from './completion.ts'

const bash = completionOf(createProgram(), 'bash')

/** What bash offers for a line whose last word is being typed. */
const offered = (...words: string[]): string[] => {
  const line = words.map((word) => `'${word}'`).join(' ')
  const script = `${bash}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _assay; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr, status } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  return stdout.trim().split('\n').toSorted()
}

test('bash completes commands, subcommands and options', () => {
  expect(offered('assay', 'sta')).toEqual(['status'])
  expect(offered('assay', 'keys', 're')).toEqual(['revoke'])
  expect(offered('assay', 'keys', 'create', '--na')).toEqual(['--name'])
  expect(offered('assay', 'status', '--json', '--u')).toEqual(['--url'])
  expect(offered('assay', 'watch', '--li')).toEqual(['--list'])
})

test.each(['bash', 'zsh', 'fish'])('the script for %s is valid in that shell', (shell) => {
  const script = completionOf(createProgram(), shell)
  expect(script).toContain('watch')
  const folder = mkdtempSync(join(tmpdir(), 'assay-completion-'))
  writeFileSync(join(folder, 'script'), script)
  const { status, stderr, error } = spawnSync(shell, ['-n', join(folder, 'script')], { encoding: 'utf8' })
  rmSync(folder, { recursive: true, force: true })
  // Shells that are not on this machine cannot read it.
  if (!error) expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})
